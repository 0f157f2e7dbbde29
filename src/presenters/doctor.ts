import type { RenderOptions, View } from './render.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

const words = {
  ok: { en: 'ok', pt: 'ok' },
  warn: { en: 'note', pt: 'atenção' },
  problem: { en: 'PROBLEM', pt: 'PROBLEMA' },
} as const;

/** One line per check, with what to do below it. */
export const doctorView: View = (data, options) => {
  const checks = Array.isArray(data) ? data.filter(isRecord) : [];
  return checks.flatMap((check) => {
    const head = `${status(check['status'], options)}  ${options.paint.strong(scalarText(check['check']))}: ${spoken(check['found'], options)}`;
    const advice = spoken(check['advice'], options);
    return advice === '' ? [head] : [head, `${' '.repeat(10)}→ ${advice}`];
  });
};

function status(value: unknown, options: RenderOptions): string {
  const word = (name: keyof typeof words): string => pad(words[name][options.language], 8);
  if (value === 'problem') return options.paint.bad(word('problem'));
  return value === 'warn' ? options.paint.warn(word('warn')) : options.paint.good(word('ok'));
}

function spoken(text: unknown, options: RenderOptions): string {
  return isRecord(text) ? scalarText(text[options.language]) : '';
}
