import { type ChildProcess, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import process from 'node:process';

/** For a program whose children end with it: a process group of its own, without the terminal. Windows has none. */
export const ownGroup = { detached: process.platform !== 'win32', windowsHide: true } as const;

/** For a program that may ask on the terminal: where there is one, it stays in this program's group, which may read it. */
export function groupThatMayAsk(): { readonly detached: boolean; readonly windowsHide: true } {
  return { ...ownGroup, detached: ownGroup.detached && !hasTerminal() };
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to a program that was started with one of the two, and to its children. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined || send(ownGroup.detached ? -pid : pid, signal)) return;
  // It leads no group: it shares this one, or has ended.
  if (child.exitCode !== null || child.signalCode !== null) return;
  for (const each of [...descendants(pid), pid]) send(each, signal);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The children of a process and theirs. */
function descendants(pid: number): readonly number[] {
  const lines = (spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout ?? '').split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([pid]);
  // A set gives what is added while it is read.
  for (const parent of found) for (const [child, its] of rows) if (its === parent && child) found.add(child);
  found.delete(pid);
  return [...found];
}

/** Ends the program with this one: a signal of the terminal does not reach its group. */
export function endWithThis(child: ChildProcess): void {
  const end = (): void => signalGroup(child, 'SIGKILL');
  const events = ['SIGINT', 'SIGTERM', 'exit'] as const;
  for (const event of events) process.once(event, end);
  child.once('close', () => events.forEach((event) => process.off(event, end)));
}
