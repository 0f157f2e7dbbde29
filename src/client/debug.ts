import { exactJson, parseExactJson } from '../domain/json-numbers.js';
import { redactData, redactHeaders, redactText, redactUrl } from './redact.js';
import type { WireAnswer, WireRequest } from './exchange.js';

const MAX_BODY_TEXT = 4_000;

/** Writes the lines of `--debug-http`: requests and answers, with keys and CPFs masked. */
export interface Debugger {
  request(request: WireRequest, secrets: readonly string[]): void;
  answer(answer: WireAnswer, durationMs: number, secrets: readonly string[]): void;
  failure(reason: string, durationMs: number): void;
}

export function createDebugger(write: ((line: string) => void) | undefined): Debugger | undefined {
  if (write === undefined) return undefined;
  return {
    request(request, secrets) {
      write(`> ${request.method} ${redactUrl(request.url, secrets)}`);
      for (const line of headerLines(request.headers, secrets)) write(`> ${line}`);
      const body = request.shownBody ?? request.body;
      if (typeof body === 'string') write(`> ${bodyText(body, secrets)}`);
    },
    answer(answer, durationMs, secrets) {
      write(`< HTTP ${String(answer.status)} (${String(durationMs)} ms)`);
      for (const line of headerLines(flatten(answer.headers), secrets)) write(`< ${line}`);
      if (answer.bytes.length > 0) write(`< ${bodyText(new TextDecoder().decode(answer.bytes), secrets)}`);
    },
    failure(reason, durationMs) {
      write(`< ${reason} (${String(durationMs)} ms)`);
    },
  };
}

function headerLines(headers: Readonly<Record<string, string>>, secrets: readonly string[]): readonly string[] {
  return Object.entries(redactHeaders(headers, secrets)).map(([name, value]) => `${name}: ${value}`);
}

function flatten(headers: WireAnswer['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/**
 * JSON is masked field by field, anything else as text. Masked before it is cut: JSON that was cut has no fields, and half a
 * key is not recognised.
 */
function bodyText(body: string, secrets: readonly string[]): string {
  let text: string;
  try {
    text = exactJson(redactData(parseExactJson(body), secrets));
  } catch {
    text = redactText(body, secrets);
  }
  return text.length > MAX_BODY_TEXT ? `${text.slice(0, MAX_BODY_TEXT)}… (${String(body.length)})` : text;
}
