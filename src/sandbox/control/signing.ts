import type { Core } from '../core/core.js';
import { hexCases, hookIds, signingSchemes } from '../webhook/signing.js';
import type { ControlRequest } from './control.js';
import { choiceField, fieldsOf } from './fields.js';

/** How deliveries of webhooks are signed. */
export function showSigning(core: Core): object {
  return core.signing.get();
}

/** `{scheme?, hex?, hookId?}`: what is left out stays. */
export function setSigning(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['scheme', 'hex', 'hookId']);
  const before = core.signing.get();
  const signing = {
    scheme: choiceField(fields, 'scheme', signingSchemes) ?? before.scheme,
    hex: choiceField(fields, 'hex', hexCases) ?? before.hex,
    hookId: choiceField(fields, 'hookId', hookIds) ?? before.hookId,
  };
  core.signing.set(signing);
  return signing;
}
