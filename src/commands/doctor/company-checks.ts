import { familyNames, type InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { CERTIFICATE_DAYS } from '../../domain/term-horizon.js';
import { fiscalLine } from '../../domain/command-words.js';
import { timeInWords, DAY_MS } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { families } from '../../services/company/activity.js';
import { captureState, isOfProduction, otherEnvironment, unclearCapture } from '../../services/company/capture.js';
import { bestOf, certificateInWords, endsBy, fetchCertificates } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { type Check, problemOf } from './local-checks.js';

/**
 * The captures and the certificate of the company that the run names; none without one. What could not be read is a problem: it is
 * neither on nor off. An account that only issues may have no capture and no certificate.
 */
export async function checkCompany(context: Context): Promise<readonly Check[]> {
  const check = 'company';
  try {
    const company = await (await context.scope()).one();
    if (company === undefined) return [];
    const captures = await Promise.all(families.map((family) => checkCapture(context, company, family)));
    return [...captures, await checkCertificate(context, company)];
  } catch (error) {
    return [problemOf(check, error, { en: 'see "fiscal company list"', pt: 'veja "fiscal company list"' })];
  }
}

async function checkCapture(context: Context, { id }: AccountCompany, family: InboundFamily): Promise<Check> {
  const check = `capture of ${familyNames[family]}`;
  const line = fiscalLine({ command: 'inbound capture show', flags: [['--type', family]], company: id });
  const advice = { en: `see "${line}"`, pt: `veja "${line}"` };
  const { storeNamespace: profile } = await context.settings();
  return await asked(check, advice, async () => {
    const capture = await captureState(context, { profile, companyId: id, family });
    if (capture.kind === 'off') return { status: 'warn', found: offTexts[capture.why], advice };
    if (capture.kind === 'unclear') return { status: 'problem', found: unclearCapture(familyNames[family]), advice };
    const { environment = null, spacedUntil } = capture;
    if (!isOfProduction(environment))
      return { status: 'warn', found: otherEnvironment(familyNames[family], environment), advice };
    if (spacedUntil !== undefined) return { status: 'warn', found: spaced(spacedUntil), advice };
    return { status: 'ok', found: { en: 'it is on', pt: 'está ligada' } };
  });
}

const offTexts: Readonly<Record<'absent' | 'inactive', Text>> = {
  absent: { en: 'it is not enabled', pt: 'não está habilitada' },
  inactive: { en: 'it is switched off', pt: 'está desligada' },
};

function spaced(until: string): Text {
  const end = timeInWords(until);
  return { en: `it is on, and spaced until ${end.en}`, pt: `está ligada, e bloqueada até ${end.pt}` };
}

async function checkCertificate(context: Context, { id, taxNumber }: AccountCompany): Promise<Check> {
  const line = fiscalLine({ command: 'certificate list', company: id });
  const advice = { en: `see "${line}"`, pt: `veja "${line}"` };
  return await asked('certificate', advice, async () => {
    const now = context.clock.now();
    const best = bestOf(await fetchCertificates(context, id), { now, taxNumber });
    const found = certificateInWords(best);
    if (best.state === 'valid' && !endsBy(best, now + CERTIFICATE_DAYS * DAY_MS)) return { status: 'ok', found };
    const isMild = best.state === 'valid' || best.state === 'missing';
    return { status: isMild ? 'warn' : 'problem', found, advice };
  });
}

async function asked(check: string, advice: Text, ask: () => Promise<Omit<Check, 'check'>>): Promise<Check> {
  try {
    return { check, ...(await ask()) };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const { en, pt } = error.text;
    return { check, status: 'problem', found: { en: `not known: ${en}`, pt: `não se sabe: ${pt}` }, advice };
  }
}
