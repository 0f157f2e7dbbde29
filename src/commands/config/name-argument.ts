import type { ArgumentSpec } from '../../cli/command.js';

export const nameArgument: ArgumentSpec = {
  name: 'name',
  summary: {
    en: 'e.g. tenant, connect-timeout, hosts.product, paths.product.get',
    pt: 'ex.: tenant, connect-timeout, hosts.product, paths.product.get',
  },
  required: true,
};
