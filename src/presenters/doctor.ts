import type { Look, View } from './look.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

const words = {
  ok: { en: 'ok', pt: 'ok' },
  warn: { en: 'note', pt: 'atenção' },
  problem: { en: 'PROBLEM', pt: 'PROBLEMA' },
} as const;

/** A line per check, and what to do below it. */
export const doctorView: View = (data, look) => {
  const checks = Array.isArray(data) ? data.filter(isRecord) : [];
  return checks.flatMap((check) => {
    const head = `${status(check['status'], look)}  ${look.paint.strong(scalarText(check['check']))}: ${spoken(check['found'], look)}`;
    const advice = spoken(check['advice'], look);
    return advice === '' ? [head] : [head, `${' '.repeat(10)}→ ${advice}`];
  });
};

function status(value: unknown, look: Look): string {
  const word = (name: keyof typeof words): string => pad(words[name][look.language], 8);
  if (value === 'problem') return look.paint.bad(word('problem'));
  return value === 'warn' ? look.paint.warn(word('warn')) : look.paint.good(word('ok'));
}

function spoken(text: unknown, look: Look): string {
  return isRecord(text) ? scalarText(text[look.language]) : '';
}
