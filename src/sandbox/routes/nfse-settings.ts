import { inboundSettingNames } from '../../contract/inbound.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import { whole } from '../inbound/nfse-page.js';
import {
  type SettingsService,
  readSettings,
  refuseStartFromDate,
  requireSettings,
  saveSettings,
  showRegistration,
  showSettings,
} from '../inbound/settings.js';
import { type CompanyLookupService, requireCompany } from '../manifestation/find-company.js';
import { isRecord } from '../product/read-product.js';
import type { Call, HandlersOf, Reply } from './handler.js';

type NfseSettingsService = Pick<Core, 'captures' | 'clock'> & CompanyLookupService & SettingsService;

type SettingsOperation = `nfse.inbound.${'enable' | 'companies' | 'settings' | 'update' | 'disable'}`;

/** The companies that capture NFS-e, and their settings (public; fields also §2). */
export const nfseSettingsHandlers: HandlersOf<SettingsOperation> = {
  'nfse.inbound.enable': enable,
  'nfse.inbound.companies': companies,
  'nfse.inbound.settings': (core, call) => ({ status: 200, body: show(core, companyOf(core, call)) }),
  'nfse.inbound.update': update,
  'nfse.inbound.disable': disable,
};

type CompanyOperation = Exclude<SettingsOperation, 'nfse.inbound.enable' | 'nfse.inbound.companies'>;

function companyOf(core: NfseSettingsService, call: Call<CompanyOperation>): string {
  return requireCompany(core, call.caller.tenantId, call.path.companyId);
}

function show(core: NfseSettingsService, companyId: string): object {
  return { ...showSettings(core, companyId, 'nfse'), isActive: true };
}

function enable(core: NfseSettingsService, call: Call<'nfse.inbound.enable'>): Reply {
  const named = isRecord(call.body) ? call.body['companyId'] : undefined;
  if (typeof named !== 'string') throw invalid('companyId', 'Is required.');
  const companyId = requireCompany(core, call.caller.tenantId, named);
  const given = readSettings(call.body, inboundSettingNames.nfse, core.clock.now());
  if (core.captures.isActive(companyId, 'nfse')) {
    throw new Refusal('conflict', 'The company is already registered.');
  }
  saveSettings(core, { companyId, family: 'nfse' }, given);
  return { status: 201, body: show(core, companyId), effect: { enabled: 'nfse-inbound', companyId } };
}

/** Without `isActive` the list includes inactive registrations (assumed). */
function companies(core: NfseSettingsService, call: Call<'nfse.inbound.companies'>): Reply {
  const page = whole(call.query, 'pageIndex', { from: 1, to: 1_000_000, otherwise: 1 });
  const size = whole(call.query, 'pageCount', { from: 1, to: 100, otherwise: 50 });
  const wanted = call.query.get('isActive');
  if (wanted !== null && wanted !== 'true' && wanted !== 'false') {
    throw invalid('isActive', 'Must be true or false.');
  }
  const registered = core.captures
    .registered(call.caller.tenantId, 'nfse')
    .filter(({ isActive }) => wanted === null || String(isActive) === wanted);
  const found = registered.slice((page - 1) * size, page * size);
  const body = {
    totalResults: registered.length,
    totalPages: Math.ceil(registered.length / size),
    page,
    companies: found.map(({ companyId, isActive }) => ({
      ...showRegistration(core, { companyId, family: 'nfse' }),
      isActive,
    })),
  };
  return { status: 200, body };
}

function update(core: NfseSettingsService, call: Call<'nfse.inbound.update'>): Reply {
  const companyId = companyOf(core, call);
  const { given: before } = requireSettings(core, companyId, 'nfse');
  refuseStartFromDate(call.body);
  saveSettings(
    core,
    { companyId, family: 'nfse' },
    { ...before, ...readSettings(call.body, inboundSettingNames.nfse, core.clock.now()) },
  );
  return { status: 200, body: show(core, companyId), effect: { updated: 'nfse-inbound', companyId } };
}

function disable(core: NfseSettingsService, call: Call<'nfse.inbound.disable'>): Reply {
  const companyId = companyOf(core, call);
  const shown = show(core, companyId);
  core.captures.set(companyId, 'nfse', false);
  const effect = { disabled: 'nfse-inbound', companyId };
  return { status: 200, body: { ...shown, status: 'Inactive', isActive: false }, effect };
}
