/** What cron would do with a crontab of a guide. */
export interface Crontab {
  readonly env: Readonly<Record<string, string>>;
  readonly lines: readonly CronLine[];
}

export interface CronLine {
  readonly schedule: readonly string[];
  /** As the shell gets it: `\%` is `%`. */
  readonly command: string;
}

/** Throws where cron would: fewer than five fields, a bare `%`. */
export function readCrontab(text: string): Crontab {
  const env: Record<string, string> = {};
  const lines: CronLine[] = [];
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const variable = /^([A-Z_]+)=(.*)$/.exec(line);
    if (variable !== null) {
      env[variable[1] ?? ''] = variable[2] ?? '';
      continue;
    }
    const [, schedule, command] = /^((?:\S+\s+){5})(\S.*)$/.exec(line) ?? [];
    if (schedule === undefined || command === undefined) throw new Error(`no line of a crontab: ${line}`);
    if (/(?<!\\)%/.test(command)) throw new Error(`a bare % ends the command: ${line}`);
    lines.push({ schedule: schedule.trim().split(/\s+/), command: command.replaceAll('\\%', '%') });
  }
  return { env, lines };
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** Whether each field is a star, a step, a number or a range within its bounds: all that the guides use. */
export function isSchedule(fields: readonly string[]): boolean {
  return fields.every((field, index) => {
    const [from, to] = bounds[index] ?? [1, 0];
    if (field === '*') return true;
    const numbers = field.replace(/^\*\//, '').split('-').map(Number);
    return numbers.every((number) => Number.isInteger(number) && number >= from && number <= to);
  });
}
