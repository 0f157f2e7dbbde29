import type { DocumentGroup } from '../../store/documents.js';

export type IssuedModel = 'nfe' | 'nfce' | 'nfse';
export type IssuedEnvironment = 'Production' | 'Test';

export const issuedModels: readonly IssuedModel[] = ['nfe', 'nfce', 'nfse'];
export const environments: readonly IssuedEnvironment[] = ['Production', 'Test'];

export interface IssuedList {
  readonly model: IssuedModel;
  readonly environment: IssuedEnvironment;
}

/** What a layout writes for `{type}`: the files of received documents are in other folders. */
export function issuedType({ model, environment }: IssuedList): string {
  return environment === 'Test' ? `issued-${model}-test` : `issued-${model}`;
}

/**
 * Where the store has the issued documents of a company. The rows have a namespace of their own, so that nothing that reads
 * received documents meets them: an NF-e between two companies of an account is issued by one and received by the other
 * (decision 31). A profile has no space in its name.
 */
export function issuedGroup(profile: string, companyId: string, list: IssuedList): DocumentGroup {
  const family = list.model === 'nfse' ? 'nfse' : 'nfe';
  return { profile: `${profile} ${issuedType(list)}`, companyId, family };
}

/** The namespaces of all issued documents of a profile. */
export function issuedNamespaces(profile: string): readonly string[] {
  return environments.flatMap((environment) =>
    issuedModels.map((model) => issuedGroup(profile, '', { model, environment }).profile),
  );
}
