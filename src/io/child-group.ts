import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

/** For a program whose children end with it: a process group of its own, without the terminal. Windows has none. */
export const ownGroup = { detached: process.platform !== 'win32', windowsHide: true } as const;

/** Sends a signal to a program that was started with `ownGroup`, and to its children. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(ownGroup.detached ? -pid : pid, signal);
  } catch {
    // It has ended, with all of its children.
  }
}

/** Ends the program with this one: a signal of the terminal does not reach its group. */
export function endWithThis(child: ChildProcess): void {
  const end = (): void => signalGroup(child, 'SIGKILL');
  const events = ['SIGINT', 'SIGTERM', 'exit'] as const;
  for (const event of events) process.once(event, end);
  child.once('close', () => events.forEach((event) => process.off(event, end)));
}
