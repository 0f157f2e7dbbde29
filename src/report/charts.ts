import { scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html, raw } from './markup.js';

/** A bar of a column chart. */
export interface Column {
  /** Below the bar; empty for most bars of a long axis. */
  readonly label: string;
  readonly value: number;
  /** What a pointer on the bar shows. */
  readonly title: string;
}

export interface ColumnChart {
  /** What the picture shows, for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column[];
  tick(value: number): string;
}

const [WIDTH, HEIGHT] = [720, 200];
const edge = { top: 12, right: 4, bottom: 26, left: 92 };
const TICKS = 4;

/** Columns as SVG. The values only set heights: exact figures are in the table behind the chart. */
export function columnChart({ label, columns, tick }: ColumnChart): Html {
  const most = Math.max(1, ...columns.map(({ value }) => value));
  const y = scaleLinear()
    .domain([0, most])
    .nice(TICKS)
    .range([HEIGHT - edge.bottom, edge.top]);
  const x = scaleBand()
    .domain(columns.map((_, index) => String(index)))
    .range([edge.left, WIDTH - edge.right])
    .paddingInner(0.28);
  const ticks = y.ticks(TICKS).filter((value) => most > TICKS || Number.isInteger(value));
  const lines = ticks.map(
    (value) =>
      html`<line x1="${edge.left}" x2="${WIDTH - edge.right}" y1="${round(y(value))}" y2="${round(y(value))}"/><text class="tick" x="${edge.left - 8}" y="${round(y(value) + 4)}">${tick(value)}</text>`,
  );
  const bars = columns.map(({ value, title }, index) => {
    const top = y(Math.max(0, value));
    const height = y(0) - top;
    return html`<rect class="bar" x="${round(x(String(index)) ?? 0)}" y="${round(top)}" width="${round(x.bandwidth())}" height="${round(height)}" rx="2"><title>${title}</title></rect>`;
  });
  const labels = columns.map(({ label: text }, index) =>
    text === ''
      ? raw('')
      : html`<text class="day" x="${round((x(String(index)) ?? 0) + x.bandwidth() / 2)}" y="${HEIGHT - 8}">${text}</text>`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${lines}${bars}${labels}</svg>`;
}

/** A bar beside a figure of a table. The figure says the same, so the bar is hidden from readers of screens. */
export function rowBar(value: number, most: number): Html {
  const x = scaleLinear()
    .domain([0, Math.max(most, Number.MIN_VALUE)])
    .range([0, 100]);
  return html`<svg class="row-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/><rect class="bar" width="${round(x(Math.max(0, value)))}" height="8"/></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
