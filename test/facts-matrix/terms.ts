import {
  companiesOf,
  inner,
  nameOf,
  ofCompany,
  ofType,
  rowName,
  rows,
  tagsIn,
  written,
  type Asking,
  type Row,
} from './asking.js';
import { addDays, type Judged } from './reader.js';

const today = '2026-11-20';

interface ExpectedTerm {
  readonly company: string;
  readonly key: string;
  readonly eventClass: string;
  readonly lastDay: string;
  readonly state: 'open' | 'lost' | 'presumed';
}

function termsOf({ judged }: Asking, company?: string): readonly ExpectedTerm[] {
  return judged
    .filter((document) => company === undefined || document.company === company)
    .flatMap(({ terms, ...document }) =>
      terms.map(({ eventClass, lastDay }) => {
        const late = eventClass === 'awareness' ? ('lost' as const) : ('presumed' as const);
        const state = lastDay < today ? late : ('open' as const);
        return { company: document.company, key: document.key, eventClass, lastDay, state };
      }),
    );
}

export async function due(asking: Asking): Promise<void> {
  const { cells } = asking;
  const span = ['--within', '400d', '--overdue-up-to', '400d'];
  const found = await rows(asking, 'manifestation', 'due', ...span, '--all-companies');
  const owed = found.filter((row) => ['open', 'lost', 'presumed', 'unknown'].includes(String(row['state'])));
  const told = owed.map((row) => [rowName(row), row['eventClass'], row['deadline'], row['state']].join(' '));
  const wanted = termsOf(asking).map((term) => [nameOf(term), term.eventClass, term.lastDay, term.state].join(' '));
  cells.compareSets({ command: 'due', field: 'term', tagsOf: tagsIn(asking) }, told, wanted);
}

/** `--new` proposes for what has no event of the recipient at all; rules, for every term that the event would end. */
export async function plan(asking: Asking): Promise<void> {
  const { cells, judged, machine } = asking;
  const tagsOf = tagsIn(asking);
  const answered = new Set(judged.filter(isAnswered).map(nameOf));
  const keys = (found: readonly Row[]): readonly string[] =>
    found.filter((row) => row['accessKey'] !== undefined).map(rowName);
  const classes = { awareness: 'awareness', confirmation: 'conclusive' };
  for (const [event, eventClass] of Object.entries(classes)) {
    const ofClass = termsOf(asking).filter((term) => term.eventClass === eventClass);
    const fresh = ofClass.filter((term) => term.state === 'open' && !answered.has(nameOf(term)));
    const planned = await rows(asking, 'manifestation', 'plan', '--new', '--event', event, '--all-companies');
    cells.compareSets({ command: `plan --new ${event}`, field: 'key', tagsOf }, keys(planned), fresh.map(nameOf));
    machine.put('rules.yaml', `rules: [{ name: all, when: { type: nfe }, event: ${event} }]\ndefault: none\n`);
    const ruled = await rows(asking, 'manifestation', 'plan', '--rules', 'rules.yaml', '--all-companies');
    cells.compareSets({ command: `plan --rules ${event}`, field: 'key', tagsOf }, keys(ruled), ofClass.map(nameOf));
  }
}

function isAnswered({ events }: Judged): boolean {
  return events.some(({ code, isRegistered }) => isRegistered && code.startsWith('2102'));
}

/** The calendar has an entry for each term that is still open. */
export async function calendar(asking: Asking): Promise<void> {
  const { cells } = asking;
  await rows(asking, 'manifestation', 'due', '--within', '400d', '--all-companies', '--ics', 'due.ics');
  const open = termsOf(asking).filter(({ state }) => state === 'open');
  const wanted = counted(open.map(({ lastDay }) => lastDay.replaceAll('-', '')));
  const days = [...written(asking, 'due.ics').matchAll(/^DTSTART;VALUE=DATE:(\d{8})/gm)].map(([, day = '']) => day);
  const told = counted(days.filter((day) => day >= today.replaceAll('-', '')));
  for (const day of new Set([...wanted.keys(), ...told.keys()])) {
    const place = { command: 'calendar', field: 'entries', subject: day };
    cells.compare(place, told.get(day) ?? 0, wanted.get(day) ?? 0);
  }
}

function counted(days: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  return counts;
}

/** The day from which late terms are told one by one: the first of the month before; earlier ones are one number. */
const told = { first: '2026-10-01', last: addDays(today, 10) };

/** `due`, `status --check`, its metrics and `status` speak of the same terms. */
export async function horizon(asking: Asking): Promise<void> {
  const { cells } = asking;
  const found = ofType(await rows(asking, 'status', '--check', '--metrics-file', 'companies.prom'), 'company');
  const metrics = written(asking, 'companies.prom').split('\n');
  const [status] = await rows(asking, 'status');
  const [profile] = (status?.['profiles'] ?? []) as readonly Row[];
  const ofStatus = (inner(profile, 'due')['byCompany'] ?? []) as readonly Row[];
  const due = await rows(asking, 'manifestation', 'due', '--all-companies');
  for (const company of companiesOf(asking)) {
    const terms = termsOf(asking, company);
    const near = terms.filter(({ lastDay }) => told.first <= lastDay && lastDay <= told.last);
    const of = (state: string): number => near.filter((term) => term.state === state).length;
    const states = { open: of('open'), lost: of('lost'), presumed: of('presumed') };
    const counts = { ...states, earlier: terms.filter(({ lastDay }) => lastDay < told.first).length };
    const checked = inner(ofCompany(found, company), 'manifestations');
    const ofCompanyStatus = ofCompany(ofStatus, company);
    const ofDue = due.filter((row) => row['companyId'] === company);
    for (const [field, expected] of Object.entries(counts)) {
      cells.compare({ command: 'status --check', field, subject: company }, checked[field], expected);
      const words = ['manifestation_terms{', `"${company}"`, `"${field}"`];
      const line = metrics.find((each) => words.every((word) => each.includes(word)));
      cells.compare({ command: 'status metrics', field, subject: company }, Number(line?.split(' ').at(-1)), expected);
      cells.compare(
        { command: 'status', field, subject: company },
        inner(ofCompanyStatus, 'terms')[field] ?? 0,
        expected,
      );
    }
    for (const [state, expected] of Object.entries(states)) {
      const shown = ofDue.filter((row) => row['state'] === state);
      cells.compare({ command: 'due', field: `${state} terms`, subject: company }, shown.length, expected);
    }
  }
}
