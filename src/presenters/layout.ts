import { isLongId } from './cell.js';
import { widthUpTo } from './width.js';

/** A column as it is laid out: its title and cells as they are shown. */
export interface LayoutColumn {
  readonly field: string;
  readonly title: string;
  readonly cells: readonly string[];
  /** Half a cell is useless: a time, a state, an id that is typed again. */
  readonly isWhole: boolean;
  readonly isRequired: boolean;
  /** Long ids may be shortened in the middle. */
  readonly mayShorten: boolean;
}

export interface Layout {
  readonly shown: readonly {
    readonly column: LayoutColumn;
    readonly width: number;
    /** Its ids are shortened in the middle. */
    readonly isShort: boolean;
  }[];
  /** The fields of the dropped columns. */
  readonly left: readonly string[];
}

const gap = 3; // A space, a border and a space between columns.
const narrowest = 6;
/** Text this wide is still read with ease. */
const readable = 16;
/** The narrowest readable company name. */
const narrowestName = 18;
/** `3526…6857`. */
const shortIdWidth = 9;
/** A title does not make a column of short ids wider than this. */
const longestTitle = 12;

interface Sized {
  readonly column: LayoutColumn;
  readonly index: number;
  /** Of the widest cell. */
  readonly width: number;
  /** Of the narrowest useful cell. */
  readonly least: number;
  /** With ids in their short form. */
  readonly short: number;
}

/**
 * Shows the columns in full if there is room; else shortens texts to what is still readable, then ids in the middle, then drops
 * columns from the right except the required ones, and shortens texts to the narrowest at last. Linear in the cells.
 */
export function layOut(columns: readonly LayoutColumn[], room: number): Layout {
  const sized = columns.map((column, index) => sizeOf(column, index, room));
  const sum = (of: (one: Sized) => number, list: readonly Sized[] = sized): number =>
    list.reduce((total, one) => total + of(one) + gap, 2 - gap);
  const comfortable = (one: Sized): number => Math.min(one.width, Math.max(one.least, readable));
  if (sum(comfortable) <= room) return place(sized, { room, isShort: false, leastOf: comfortable });
  const kept = dropped(sized, room, sum);
  const left = sized.filter((one) => !kept.includes(one)).map(({ column }) => column.field);
  const fits = (of: (one: Sized) => number): boolean => sum(of, kept) <= room;
  if (fits(comfortable)) return { ...place(kept, { room, isShort: false, leastOf: comfortable }), left };
  if (fits(narrow)) return { ...place(kept, { room, isShort: true, leastOf: narrow }), left };
  // Even the narrowest do not fit: whole columns are shortened too.
  const least = (one: Sized): number => Math.min(narrow(one), narrowest);
  return { ...place(kept, { room, isShort: true, leastOf: least }), left };
}

/** The narrowest useful width, with ids in their short form. */
function narrow({ width, short, least }: Sized): number {
  return short < width ? short : least;
}

/** The columns that fit at their narrowest with short ids; the required ones in any case. */
function dropped(
  sized: readonly Sized[],
  room: number,
  sum: (of: (one: Sized) => number, list: readonly Sized[]) => number,
): readonly Sized[] {
  const hasRequired = sized.some(({ column }) => column.isRequired);
  const mayGo = ({ column, index }: Sized): boolean =>
    hasRequired ? !column.isRequired : index > 0 && !isIdentifier(column.field);
  let kept = sized;
  for (const one of [...sized].reverse()) {
    if (sum(narrow, kept) <= room) break;
    if (mayGo(one)) kept = kept.filter((other) => other !== one);
  }
  return kept;
}

interface Placing {
  readonly room: number;
  readonly isShort: boolean;
  readonly leastOf: (one: Sized) => number;
}

function place(sized: readonly Sized[], { room, isShort, leastOf }: Placing): Layout {
  const isShortened = (one: Sized): boolean => isShort && one.short < one.width;
  const natural = sized.map((one) => (isShortened(one) ? one.short : one.width));
  const widths = shrink(natural, sized.map(leastOf), room - gap * (sized.length - 1) - 2);
  return {
    shown: sized.map((one, at) => ({ column: one.column, width: widths[at] ?? one.width, isShort: isShortened(one) })),
    left: [],
  };
}

function sizeOf(column: LayoutColumn, index: number, room: number): Sized {
  const widest = Math.max(room, narrowestName);
  const width = naturalWidth(column, widest);
  const isId = column.mayShorten && column.cells.every((cell) => cell === '' || isLongId(cell));
  const title = Math.min(widthUpTo(column.title, widest), longestTitle);
  const short = isId ? Math.min(width, Math.max(title, shortIdWidth)) : width;
  return { column, index, width, short, least: isId ? width : Math.min(width, leastWidth(column)) };
}

/** At most `room`: wider ones are shortened in any case. */
function naturalWidth({ title, cells }: LayoutColumn, room: number): number {
  let widest = widthUpTo(title, room);
  for (const cell of cells) {
    if (widest >= room) break;
    // No character is wider than two columns.
    if (2 * cell.length > widest) widest = Math.max(widest, widthUpTo(cell, room));
  }
  return widest;
}

/** Columns that people copy, which are useless when cut. */
function isIdentifier(field: string): boolean {
  return /(^|\.)id$|^(product|job|item)Id$|^thumbprint$|[kK]ey$/.test(field);
}

/** Free text may be shortened; ids, times and other whole columns may not. */
function leastWidth({ field, isWhole, isRequired }: LayoutColumn): number {
  if (isWhole || isIdentifier(field)) return Number.POSITIVE_INFINITY;
  if (field === 'companyName' || field === 'name') return narrowestName;
  return isRequired ? readable : narrowest;
}

/**
 * Widths whose sum is at most `room`, if that is possible: the widest are shortened until all shortened ones are equal,
 * the leftmost by one more where the room is odd.
 */
function shrink(natural: readonly number[], least: readonly number[], room: number): readonly number[] {
  const at = (limit: number): number[] =>
    natural.map((width, index) => Math.max(Math.min(width, limit), least[index] ?? width));
  const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0);
  let [low, high] = [0, natural.reduce((widest, width) => Math.max(widest, width), 0)];
  // The smallest limit that leaves too much, or the natural widths where nothing is too much.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (sumOf(at(middle)) >= room) high = middle;
    else low = middle + 1;
  }
  const widths = at(low);
  let excess = sumOf(widths) - room;
  for (const [index, width] of widths.entries()) {
    if (excess <= 0) break;
    if (width !== low || width <= (least[index] ?? width)) continue;
    widths[index] = width - 1;
    excess -= 1;
  }
  return widths;
}
