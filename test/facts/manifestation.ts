/** Typed by hand from the service document and, where it is silent, from contract/operations.md and domain/facts. */

/** §4, NF-e recipient manifestation: path of the recommended route. */
export const nfeSubmitPath = (accessKey: string): string =>
  `/productinvoices/by-access-key/${accessKey}/manifestation-events`;
/** §4: the URL that `Location` holds. */
export const nfeEventPath = (id: string): string => `/productinvoices/manifestation-events/${id}`;
/** operations.md: also served under this prefix (assumed). */
export const inboundPrefix = (companyId: string): string => `/v2/companies/${companyId}/inbound`;
/** operations.md: the replaced route (§9 names it; path public). */
export const legacyPath = (companyId: string, accessKey: string): string =>
  `/v2/companies/${companyId}/inbound/${accessKey}/manifest`;

/** §4, NFS-e taker manifestation. */
export const nfseSubmitPath = (companyId: string, accessKey: string): string =>
  `/v2/companies/${companyId}/inbound/nfse/by-access-key/${accessKey}/manifestations`;
/** operations.md: `/manifestations/{id}` of §2 with its prefix (public). */
export const nfseDetailPath = (companyId: string, id: string): string =>
  `/v2/companies/${companyId}/inbound/nfse/manifestations/${id}`;

/** §7. */
export const acceptedStatus = 202;
export const conflict = 409;
export const semanticError = 422;

/** §2, §3: the values of `status`. */
export const pending = 'Pending';
export const accepted = 'Accepted';
export const rejected = 'Rejected';
export const failed = 'Failed';

/** §5: the roles of the two families. */
export const nfeRole = 'NFeDist';
export const nfseRole = 'NFSeDist';

/** §4: accepted codes, each with the smallest `detail` that fits it (facts §3). */
export const nfeEvents: readonly (readonly [code: number, detail: object])[] = [
  [210200, {}],
  [210210, {}],
  [210220, {}],
  [210240, { justification: 'Mercadoria devolvida' }],
  [
    211110,
    {
      gCredPresOper: [
        { nItem: 1, vBCCredPres: '100.00', cCredPres: '01', gIBSCredPres: { pCredPres: '5.00', vCredPres: '5.00' } },
      ],
    },
  ],
  [
    211124,
    {
      gPerecimento: [
        { nItem: 1, vIBS: '1.00', vCBS: '2.00', gControleEstoque: { qPerecimento: '1.5', uPerecimento: 'KG' } },
      ],
    },
  ],
  [211128, { indAceitacao: 1 }],
  [
    211130,
    {
      gImobilizacao: [
        { nItem: 1, vIBS: '1.00', vCBS: '2.00', gControleEstoque: { qImobilizado: '1', uImobilizado: 'UN' } },
      ],
    },
  ],
  [
    211140,
    { gConsumoComb: [{ nItem: 1, vIBS: '1.00', vCBS: '2.00', gControleEstoque: { qComb: '10.1234', uComb: 'L' } }] },
  ],
  [211150, { gCredito: [{ nItem: 990, vCredIBS: '1.00', vCredCBS: '2.00' }] }],
  [212110, { indAceitacao: 0 }],
  [212120, { indAceitacao: 1 }],
  [110001, { tpEventoAut: 211128, nProtEvento: '135260000000001' }],
];

/** §4: 400. Removed by NT 2025.002-RTC v1.40, and the tax authority's own. */
export const refusedCodes = [211120, 412120, 412130];

/** §2, §8: `detail.justification` for 210240. */
export const shortest = 15;
export const longest = 255;

/** §4: taker events, and the valid values of `reasonCode` for 203206. */
export const confirmation = 203202;
export const refusal = 203206;
export const reasons = [1, 2, 3, 4, 5, 9];

/** facts §1 and §2: keys that somebody really had. */
export const nfeKey = '35250530057049000141550010000280181030656857';
export const alphanumericKey = '52060412ABC34501DE35550120000007801267301610';
export const nfseKey = '21113002200574753000100000000000146726037032711025';
