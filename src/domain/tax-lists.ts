/**
 * Tax names as published for a product registry of this kind. Lists may grow at the service:
 * the client refuses an unknown name before sending, and `--unchecked` sends it all the same.
 */

export const origins = [
  'National',
  'ForeignDirectImport',
  'ForeignInternalMarket',
  'NationalWith40To70Import',
  'NationalPpb',
  'NationalWithLess40Import',
  'ForeignDirectImportWithoutNationalSimilar',
  'ForeignInternalMarketWithoutNationalSimilar',
  'NationalWithGreater70Import',
] as const;

export const taxRegimes = [
  'NationalSimple',
  'RealProfit',
  'PresumedProfit',
  'NationalSimpleSublimitExceeded',
  'IndividualMicroEnterprise',
  'Exempt',
] as const;

export const issuerTaxProfiles = [
  'none',
  'retail',
  'wholesale',
  'wholesale_industry',
  'importer',
  'industry',
  'cooperative',
] as const;

export const recipientTaxProfiles = [
  'none',
  'industry',
  'final_consumer_icms_contributor',
  'final_consumer_non_icms_contributor',
  'general_warehouse',
  'closed_deposit',
  'natural_person',
  'commercial_exporter',
  'importer',
  'coop',
  'wholesale',
  'retail',
  'interdependent_company',
  'retail_branch',
  'non_retail_branch',
  'wholesale_branch',
  'closed_warehouse',
] as const;

/**
 * Field names inside tax groups in their canonical spelling (the layout of the NF-e). A name that is not here is
 * sent as it was written: the service reads names in any letter case (§2, convention 1).
 */
export const taxFieldNames = [
  'cfop',
  'icms',
  'pis',
  'cofins',
  'ipi',
  'cst',
  'csosn',
  'cBenef',
  'cEnq',
  'modBC',
  'modBCST',
  'motDesICMS',
  'pBCOp',
  'pCOFINS',
  'pCredSN',
  'pDif',
  'pFCP',
  'pFCPST',
  'pICMS',
  'pICMSST',
  'pIPI',
  'pMVAST',
  'pPIS',
  'pRedBC',
  'pRedBCST',
] as const;
