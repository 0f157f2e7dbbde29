import { inboundSettingNames } from '../../contract/inbound.js';
import { companyOf, requireCompany } from '../company/find-company.js';
import { pageIndex, pageSize } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../core/exact-json.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { readSettings, refuseStartFromDate, requireSettings, saveSettings, showRegistration } from './settings.js';

type SettingsOperation = `nfse.inbound.${'enable' | 'companies' | 'settings' | 'update' | 'disable'}`;

/** The companies that capture NFS-e, and their settings (public; fields also §2). */
export const nfseSettingsHandlers: HandlersOf<SettingsOperation> = {
  'nfse.inbound.enable': enable,
  'nfse.inbound.companies': companies,
  'nfse.inbound.settings': (core, call) => ({ status: 200, body: show(core, companyOf(core, call)) }),
  'nfse.inbound.update': update,
  'nfse.inbound.disable': disable,
};

function show(core: Core, companyId: string): object {
  requireSettings(core, companyId, 'nfse');
  return showRegistration(core, companyId);
}

function enable(core: Core, call: Call<'nfse.inbound.enable'>): Reply {
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
function companies(core: Core, call: Call<'nfse.inbound.companies'>): Reply {
  const page = pageIndex(call.query);
  const size = pageSize(call.query, 100, 50);
  const wanted = call.query.get('isActive');
  if (wanted !== null && wanted !== 'true' && wanted !== 'false') {
    throw invalid('isActive', 'Must be true or false.');
  }
  const registered = core.companies.of(call.caller.tenantId).filter(({ id }) => {
    const capture = core.captures.of(id, 'nfse');
    return capture !== undefined && (wanted === null || String(capture.isActive) === wanted);
  });
  const found = registered.slice((page - 1) * size, page * size);
  const body = {
    totalResults: registered.length,
    totalPages: Math.ceil(registered.length / size),
    page,
    companies: found.map(({ id }) => showRegistration(core, id)),
  };
  return { status: 200, body };
}

/** `isActive` turns the capture off, or a registration that is off on again (public). */
function update(core: Core, call: Call<'nfse.inbound.update'>): Reply {
  const companyId = companyOf(core, call);
  const wanted = isRecord(call.body) ? (call.body['isActive'] ?? undefined) : undefined;
  if (wanted !== undefined && typeof wanted !== 'boolean') throw invalid('isActive', 'Must be true or false.');
  const off = wanted === true ? core.captures.of(companyId, 'nfse') : undefined;
  const { given: before } = off ?? requireSettings(core, companyId, 'nfse');
  refuseStartFromDate(call.body);
  saveSettings(
    core,
    { companyId, family: 'nfse' },
    { ...before, ...readSettings(call.body, inboundSettingNames.nfse, core.clock.now()) },
  );
  const effect = { updated: 'nfse-inbound', companyId };
  if (wanted === false) core.captures.set(companyId, 'nfse', false);
  return { status: 200, body: showRegistration(core, companyId), effect };
}

/** The registration stays, inactive; the answer has no body (public). */
function disable(core: Core, call: Call<'nfse.inbound.disable'>): Reply {
  const companyId = companyOf(core, call);
  requireSettings(core, companyId, 'nfse');
  core.captures.set(companyId, 'nfse', false);
  return { status: 200, effect: { disabled: 'nfse-inbound', companyId } };
}
