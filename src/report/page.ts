import { createHash } from 'node:crypto';
import type { Language } from '../contract/text.js';
import { type Html, html, nothing, raw } from './markup.js';
import { style } from './style.js';

/** What marks a file as a report of this program, with its month and company: only the same report is replaced. */
const MARK = 'fiscal-report';

export interface Page {
  readonly language: Language;
  readonly month: string;
  /** Its id; absent: of the index over several. */
  readonly companyId?: string;
  readonly title: string;
  readonly body: Html;
  /** Of the program; absent: the page runs nothing. */
  readonly script?: string;
}

/**
 * One page that loads nothing and, but for its own script, runs nothing: the policy allows one style and one script by their
 * hashes, and no address at all.
 */
export function pageOf({ language, month, companyId, title, body, script }: Page): string {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const { source } = html`<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="${MARK}" content="${reportMark(month, companyId)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
${script === undefined ? nothing : html`<script>${raw(script)}</script>`}
</body>
</html>
`;
  return source;
}

/** What a page is marked with: ids of companies are texts of the service, of which only letters, digits, `-` and `_` are taken. */
export function reportMark(month: string, companyId?: string): string {
  return companyId === undefined ? month : `${month} ${companyId.replaceAll(/[^\w-]/g, '_').slice(0, 100)}`;
}

/** How much of a file `markOfReport` looks at. */
export const MARK_BYTES = 1024;

/** The mark of a report, from the beginning of its file. `undefined`: the file is no report of this program. */
export function markOfReport(beginning: string): string | undefined {
  return new RegExp(`<meta name="${MARK}" content="(\\d{4}-\\d{2}(?: [\\w-]+)?)">`).exec(beginning)?.[1];
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
