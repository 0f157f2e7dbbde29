// @ts-check
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Names in package-lock.json the binaries of every platform that a package offers. npm leaves out those that its
 * registry does not serve, a mirror with Linux alone, say, and then `npm ci` refuses its own lock file. Each
 * entry without a checksum gets that of the registry, or the script fails.
 */
const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

const lock = JSON.parse(await readFile(path, 'utf8'));
for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    if (Object.keys(lock.packages).some((other) => other.endsWith(place))) continue;
    lock.packages[place] = { version, ...platformOf(name), dev: true, optional: true };
  }
}
for (const [place, entry] of Object.entries(lock.packages)) {
  if (place === '' || entry.link || entry.integrity !== undefined) continue;
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${entry.version}`, 'dist.integrity']);
  if (!stdout.startsWith('sha512-')) throw new Error(`no checksum of ${name}@${entry.version}`);
  const { version, ...rest } = entry;
  lock.packages[place] = { version, integrity: stdout.trim(), ...rest };
}
const sorted = Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1));
await writeFile(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);

/** @param {string} name e.g. `@biomejs/cli-linux-x64-musl` */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  if (os === undefined || cpu === undefined) throw new Error(`no platform in the name ${name}`);
  return { cpu: [cpu], ...(os === 'linux' ? { libc: [libc] } : {}), os: [os] };
}
