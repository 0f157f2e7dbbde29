import type { Directories } from '../config/directories.js';
import type { FlagValues } from '../config/files.js';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import type { Host, Io, ProgressDisplay } from '../io/io.js';
import { ProgressEstimate } from '../io/progress-estimate.js';
import type { ConsentRequest, Context, GoOn, Progress, ProgressPort } from '../services/context.js';
import { once, type Resources } from './resources.js';

export interface ContextDependencies {
  readonly host: Host;
  readonly io: Io;
  readonly resources: Resources;
  readonly directories: Directories;
  readonly flags: FlagValues;
  readonly goOn: GoOn;
  /** `--yes`: consent was given in advance. */
  readonly yes: boolean;
  /** Absent where the output is written whole. */
  readonly writeRecord: Context['writeRecord'];
  /** New resources for another profile, which the run closes at its end. */
  resourcesFor(flags: FlagValues): Resources;
}

/** Everything that the services of one run may use. Nothing is opened yet. */
export function createContext(dependencies: ContextDependencies): Context {
  const { host, io, resources, directories, flags, goOn, yes } = dependencies;
  const store = once(async () => {
    const opened = await resources.store();
    if (opened.readOnly !== undefined) await io.notice(readsOnly(opened.readOnly.text)[io.language]);
    return opened;
  });
  const context: Context = {
    clock: host.clock,
    random: host.random,
    env: host.env,
    cwd: host.cwd,
    language: io.language,
    stdin: {
      isTerminal: host.stdin.isTerminal,
      read() {
        goOn.byJobOnly();
        return host.stdin.read();
      },
    },
    interruption: host.interruption,
    directories,
    flags,
    goOn,
    program: { execPath: host.execPath, path: host.programPath, pid: host.pid },
    withProfile(profile) {
      const other = { ...flags, profile };
      const opened = dependencies.resourcesFor(other);
      return createContext({ ...dependencies, flags: other, resources: opened });
    },
    settings: resources.settings,
    config: resources.config,
    client: async () => {
      await store();
      return await resources.client();
    },
    store,
    jobs: once(async () => {
      const jumpMs = await (await store()).clock.takeJump();
      if (jumpMs !== undefined) await io.notice(clockJumped(jumpMs)[io.language]);
      return await resources.jobs();
    }),
    scope: once(async () => (await import('../services/scope/resolver.js')).createScope(context)),
    notice: (text) => io.notice(text[io.language]),
    writeRecord: dependencies.writeRecord,
    progress: progressPort(io, host),
    consent: (request) => askConsent(request, { io, yes }),
  };
  resources.onBudget(
    once(async () => {
      const { budget } = await resources.settings();
      if (budget === undefined) return undefined;
      return await (await import('../services/costs/budget.js')).Budget.read(context, budget);
    }),
  );
  return context;
}

function clockJumped(jumpMs: number): Text {
  const seconds = Math.round(Math.abs(jumpMs) / 1000);
  const size = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  const [en, pt] = jumpMs > 0 ? ['forward', 'para a frente'] : ['back', 'para trás'];
  return {
    en: `the clock of this machine has jumped ${en} by ${size} since an earlier run; waits are not affected; check the clock if dates look wrong`,
    pt: `o relógio desta máquina saltou ${size} ${pt} desde uma execução anterior; as esperas continuam como estavam; confira o relógio se as datas parecerem erradas`,
  };
}

function readsOnly(reason: Text): Text {
  return {
    en: `${reason.en}; this run only reads: it stores nothing and refuses to send or change anything`,
    pt: `${reason.pt}; esta execução só lê: não guarda nada, e recusa tudo o que enviaria ou mudaria algo`,
  };
}

interface Asking {
  readonly io: Io;
  readonly yes: boolean;
}

async function askConsent(request: ConsentRequest, { io, yes }: Asking): Promise<void> {
  const { what, confirmWith } = request;
  const mustType = confirmWith !== undefined && confirmWith.given === undefined;
  const isValue = async (text: string): Promise<boolean> =>
    text === confirmWith?.value || (await confirmWith?.read?.(text)) === confirmWith?.value;
  if (confirmWith?.given !== undefined && !(await isValue(confirmWith.given))) {
    throw otherThan(confirmWith.value, confirmWith.given);
  }
  if (yes && !mustType) return;
  if (!io.mayAsk) throw confirmationRequired(request, { yes, mustType });
  const agreed = mustType
    ? await isValue((await io.prompts.text(typeQuestion(what, confirmWith.value, io))).trim())
    : await io.prompts.confirm(question(what, io));
  if (!agreed) throw new FiscalError('usage.declined');
}

function typeQuestion(what: Text, value: string, io: Io): string {
  return io.language === 'pt'
    ? `${what.pt}. Digite ${value} para continuar:`
    : `${what.en}. Type ${value} to continue:`;
}

function otherThan(value: string, given: string): FiscalError {
  const expected = { en: `${value} is expected`, pt: `espera-se ${value}` };
  return invalidValue('--confirm', given, expected);
}

function question(what: Text, io: Io): string {
  return io.language === 'pt' ? `${what.pt}. Continuar?` : `${what.en}. Go on?`;
}

/** Lists every missing flag at once. */
function confirmationRequired(
  { what, confirmWith }: ConsentRequest,
  { yes, mustType }: { readonly yes: boolean; readonly mustType: boolean },
): FiscalError {
  const missing = [
    ...(yes ? [] : ['--yes']),
    ...(mustType && confirmWith !== undefined ? [`--confirm ${confirmWith.value}`] : []),
  ].join(' ');
  return new FiscalError(
    'usage.confirmation_required',
    { what },
    { sent: 'no', hint: { en: `add ${missing} to give it beforehand`, pt: `use ${missing} para confirmar` } },
  );
}

/** One progress display at a time; a new label starts a new one. */
function progressPort(io: Io, { clock }: Pick<Host, 'clock'>): ProgressPort {
  let shown:
    | { readonly label: string; readonly display: ProgressDisplay; readonly estimate: ProgressEstimate }
    | undefined;
  const stop = (): void => {
    shown?.display.stop();
    shown = undefined;
  };
  return {
    report({ label, awaited, jobId, ...counts }) {
      const words = label[io.language];
      if (shown?.label !== words) {
        stop();
        shown = { label: words, display: io.progress(words), estimate: new ProgressEstimate(clock) };
      }
      const { display, estimate } = shown;
      const { text, done, total } = counted(counts);
      estimate.see(done, total);
      const parts = (): readonly string[] => [
        ...(awaited === undefined || awaited === 0 ? [] : [awaits(awaited)[io.language]]),
        ...estimate.parts().map((part) => part[io.language]),
        ...(jobId === undefined ? [] : [jobId]),
      ];
      const fraction = total === undefined || total === 0 ? {} : { fraction: done / total };
      display.update({ text, parts, ...fraction });
    },
    stop,
  };
}

/** Of a single item only what is within it is shown; of several it moves the bar between them. */
function counted({ done, total, within }: Pick<Progress, 'done' | 'total' | 'within'>) {
  if (total === 1 && within !== undefined) return { text: ofTotal(within), ...within };
  const part = within?.total ? within.done / within.total : 0;
  const inside = within === undefined ? '' : `, ${ofTotal(within)}`;
  return { text: `${ofTotal({ done, ...(total && { total }) })}${inside}`, done: done + part, total };
}

function ofTotal({ done, total }: { readonly done: number; readonly total?: number }): string {
  return total ? `${done}/${total}` : String(done);
}

function awaits(count: number): Text {
  return { en: `${count} awaiting a result`, pt: `${count} aguardando resultado` };
}
