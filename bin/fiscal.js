#!/usr/bin/env node
// Old syntax on purpose: a Node that is too old must still be able to read the sentence.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  refuse('fiscal needs Node 20.19 or newer; this is Node ' + process.versions.node);
} else if (version[0] === 24 && version[1] < 22 && /^12\./.test(sqlite())) {
  // It is ended by a signal (RemoveEnvironmentCleanupHook), in the middle of its work or at its end.
  refuse(
    'better-sqlite3 ' +
      sqlite() +
      ' crashes Node ' +
      process.versions.node +
      ': use Node 24.22 or newer, or run npm install better-sqlite3@13',
  );
} else {
  require('../dist/start.js').start();
}

function sqlite() {
  return require('better-sqlite3/package.json').version;
}

function refuse(sentence) {
  process.stderr.write(sentence + '\n');
  process.exitCode = 2;
}
