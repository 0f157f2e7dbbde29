import type { Directories } from '../config/directories.js';
import type { FlagValues } from '../config/files.js';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host, Io, ProgressDisplay } from '../io/io.js';
import type { Context, ProgressPort } from '../services/context.js';
import type { Resources } from './resources.js';

export interface ContextParts {
  readonly host: Host;
  readonly io: Io;
  readonly resources: Resources;
  readonly directories: Directories;
  readonly flags: FlagValues;
  /** `--yes`: consent was given beforehand. */
  readonly yes: boolean;
}

/** What the services of one run may use. Nothing is opened here. */
export function createContext({ host, io, resources, directories, flags, yes }: ContextParts): Context {
  return {
    clock: host.clock,
    random: host.random,
    env: host.env,
    cwd: host.cwd,
    stdin: host.stdin,
    interruption: host.interruption,
    directories,
    flags,
    program: { execPath: host.execPath, path: host.programPath, pid: host.pid },
    settings: resources.settings,
    config: resources.config,
    client: resources.client,
    store: resources.store,
    jobs: resources.jobs,
    notice: (text) => io.notice(text[io.language]),
    progress: progressPort(io),
    consent: async ({ what }) => {
      if (yes) return;
      if (!io.mayAsk) throw confirmationRequired(what);
      const agreed = await io.prompts.confirm(question(what, io));
      if (!agreed) throw new FiscalError('usage.declined');
    },
  };
}

function question(what: Text, io: Io): string {
  return io.language === 'pt' ? `${what.pt}. Continuar?` : `${what.en}. Go on?`;
}

function confirmationRequired(what: Text): FiscalError {
  return new FiscalError(
    'usage.confirmation_required',
    { what },
    {
      sent: 'no',
      hint: {
        en: 'add --yes to give it beforehand',
        pt: 'acrescente --yes para dá-lo de antemão',
      },
    },
  );
}

/** One display at a time; a new label starts a new one. */
function progressPort(io: Io): ProgressPort {
  let shown: { readonly label: string; readonly display: ProgressDisplay } | undefined;
  const stop = (): void => {
    shown?.display.stop();
    shown = undefined;
  };
  return {
    report({ label, done, total }) {
      const words = label[io.language];
      if (shown?.label !== words) {
        stop();
        shown = { label: words, display: io.progress(words) };
      }
      if (total === undefined || total === 0) shown.display.update(String(done));
      else shown.display.update(`${done}/${total}`, done / total);
    },
    stop,
  };
}
