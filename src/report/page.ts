import { createHash } from 'node:crypto';
import type { Language } from '../contract/text.js';
import { type Html, html, nothing, raw } from './markup.js';

/** The whole style of a page: light, dark, narrow and on paper. No address stands in it. */
const style = `
:root{color-scheme:light dark;--page:#f6f8fb;--card:#fff;--text:#1a1f36;--soft:#4f566b;--line:#e0e5ee;--accent:#4f46d8;--accent-soft:#ecebfd;
--good:#0a6b4b;--good-soft:#e4f5ee;--warn:#8a4500;--warn-soft:#fdf1e0;--bad:#a3232b;--bad-soft:#fcebec}
@media (prefers-color-scheme:dark){:root{--page:#0e1220;--card:#171c2d;--text:#e7eaf3;--soft:#a9b2c8;--line:#2b3248;--accent:#9d97ff;--accent-soft:#272a4f;
--good:#6fdcb0;--good-soft:#12322a;--warn:#ffc078;--warn-soft:#3a2a14;--bad:#ff9da3;--bad-soft:#40201f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
main,.top,footer{max-width:1080px;margin:0 auto;padding:0 24px}
.top{padding-top:44px;padding-bottom:20px}
.eyebrow{color:var(--soft);font-weight:600;margin:0 0 6px}
h1{font-size:32px;line-height:1.2;letter-spacing:-.02em;margin:0 0 6px;overflow-wrap:anywhere}
h2{font-size:20px;line-height:1.3;letter-spacing:-.01em;margin:0 0 4px}
h3{font-size:15px;margin:0 0 10px}
p{margin:0 0 10px}
.lead,.note{color:var(--soft)}
.note{font-size:14px}
.lead{margin:0}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:24px;margin:0 0 20px}
section>.note:first-of-type{margin-bottom:18px}
section>:last-child,section>details>:last-child{margin-bottom:0}
.scroll+h3{margin-top:22px}
.verdict{border-left-width:5px}
.verdict .head{display:flex;gap:12px;align-items:center;margin-bottom:8px}
.verdict h2{font-size:24px}
.verdict svg{width:32px;height:32px;flex:none}
.good{--tone:var(--good);--tone-soft:var(--good-soft)}.warn{--tone:var(--warn);--tone-soft:var(--warn-soft)}.bad{--tone:var(--bad);--tone-soft:var(--bad-soft)}
.verdict{border-left-color:var(--tone)}.verdict h2,.verdict svg{color:var(--tone)}
.badge{display:inline-block;padding:1px 9px;border-radius:20px;font-size:13px;font-weight:600;background:var(--tone-soft);color:var(--tone);white-space:nowrap}
.aside{background:var(--warn-soft);border-radius:8px;padding:12px 14px;margin:14px 0}
.aside>:last-child{margin-bottom:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:20px;margin:0 0 20px}
.figures div{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px}
.figures dt{color:var(--soft);font-size:14px}
.figures dd{margin:2px 0 0;font-size:25px;font-weight:650;letter-spacing:-.02em;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.figures dd.small{font-size:13px;font-weight:400;letter-spacing:0;color:var(--soft);margin-top:4px}
figure{margin:0 0 26px}figure:last-child{margin-bottom:0}
figcaption{font-weight:600;margin-bottom:8px}
.chart{display:block;width:100%;height:auto}
.chart text{fill:var(--soft);font-size:12px}.chart .tick{text-anchor:end}.chart .day{text-anchor:middle}
.chart line{stroke:var(--line)}.bar{fill:var(--accent)}.track{fill:var(--accent-soft)}
.row-bar{display:block;width:100%;min-width:70px;height:8px;border-radius:4px;overflow:hidden}
.scroll{overflow-x:auto;border-radius:6px}
table{width:100%;border-collapse:collapse;font-size:14px}
caption{text-align:left;color:var(--soft);font-size:14px;padding:0 0 8px}
th,td{text-align:left;padding:8px 12px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{color:var(--text);font-weight:500;white-space:normal}
tr:last-child>td,tr:last-child>th{border-bottom:0}
tfoot td,tfoot th{border-top:2px solid var(--line);font-weight:600;color:var(--text)}
td:last-child,th:last-child{padding-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.wide{width:34%}td.wide{vertical-align:middle}
.dim{color:var(--soft)}
.key,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;overflow-wrap:anywhere}
.key{word-break:break-all}
code{background:var(--page);border:1px solid var(--line);border-radius:5px;padding:1px 6px}
pre{margin:0 0 12px;white-space:pre-wrap}pre code{display:block;padding:10px 12px;border-radius:8px}
details{margin-top:10px}summary{cursor:pointer;color:var(--accent);font-weight:600;font-size:14px;padding:4px 0}
details[open] summary{margin-bottom:8px}
a{color:var(--accent)}
ul{margin:0 0 12px;padding-left:20px}li{margin-bottom:4px}
.tools{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:end;margin:0 0 14px}
.tools label{display:block;font-size:13px;font-weight:600;color:var(--soft);margin-bottom:3px}
.tools .grow{flex:1 1 260px}
input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid #7d879c;border-radius:8px;padding:7px 11px;min-height:38px}
input{width:100%}
button{cursor:pointer}button:disabled{opacity:.55;cursor:default}
th button{border:0;padding:3px 0;min-height:26px;font-weight:600;background:none;text-align:inherit;white-space:nowrap}
th button::after{content:" ↕";opacity:.7}th[aria-sort=ascending] button::after{content:" ↑";opacity:1}th[aria-sort=descending] button::after{content:" ↓";opacity:1}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.pages{display:flex;gap:12px;align-items:center;justify-content:space-between;flex-wrap:wrap;margin-top:14px}
.pages div{display:flex;gap:8px}
footer{color:var(--soft);font-size:13px;padding-top:6px;padding-bottom:44px}
.skip{position:absolute;left:-9999px}.skip:focus{left:16px;top:12px;background:var(--card);padding:8px 12px;border-radius:8px}
.paper{display:none}
@media (max-width:640px){main,.top,footer{padding-left:14px;padding-right:14px}.top{padding-top:26px}h1{font-size:25px}section{padding:18px 16px}.figures{gap:12px;grid-template-columns:1fr 1fr}
.figures div{padding:13px 14px}.figures dd{font-size:19px}.chart text{font-size:23px}.chart .tick{font-size:21px}.wide{display:none}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--text:#000;--soft:#3d4354;--line:#c8cdd8;--accent:#4f46d8;--accent-soft:#ecebfd;--good:#0a6b4b;--good-soft:#e4f5ee;--warn:#8a4500;--warn-soft:#fdf1e0;--bad:#a3232b;--bad-soft:#fcebec}
@page{margin:14mm}body{font-size:11pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}main,.top,footer{max-width:none;padding:0}section{border-radius:0;border-width:0 0 1px;padding:14px 0;margin:0}.verdict{border-left-width:5px;padding-left:14px}
figure,tr,.figures div,.verdict .head{break-inside:avoid}h2,h3{break-after:avoid}.screen,.skip{display:none!important}.paper{display:block}.scroll{overflow:visible}summary{color:var(--text)}}
`;

/** What marks a file as a report of this program, with its month and company: only the same report is replaced. */
const MARK = 'fiscal-report';

export interface Page {
  readonly language: Language;
  /** What it is a report of: see `reportMark`. */
  readonly mark: string;
  readonly title: string;
  readonly body: Html;
  /** Of the program; absent: the page runs nothing. */
  readonly script?: string;
}

/**
 * One page that loads nothing and, but for its own script, runs nothing: the policy allows one style and one script by their
 * hashes, and no address at all.
 */
export function pageOf({ language, mark, title, body, script }: Page): string {
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
<meta name="${MARK}" content="${mark}">
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
