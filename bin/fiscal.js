#!/usr/bin/env node
// Old syntax on purpose: a Node that is too old must still be able to read the sentence.
var version = process.versions.node.split('.').map(Number);
if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) {
  require('../dist/start.js').start();
} else {
  process.stderr.write('fiscal needs Node 20.19 or newer; this is Node ' + process.versions.node + '\n');
  process.exitCode = 2;
}
