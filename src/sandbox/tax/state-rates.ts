/** ICMS inside a state, in percent. As in 2026, without the rates of special goods: plausible, not law. */
const internal: Readonly<Record<string, string>> = {
  AC: '19.00',
  AL: '19.00',
  AM: '20.00',
  AP: '18.00',
  BA: '20.50',
  CE: '20.00',
  DF: '20.00',
  ES: '17.00',
  GO: '19.00',
  MA: '23.00',
  MG: '18.00',
  MS: '17.00',
  MT: '17.00',
  PA: '19.00',
  PB: '20.00',
  PE: '20.50',
  PI: '22.50',
  PR: '19.50',
  RJ: '20.00',
  RN: '20.00',
  RO: '19.50',
  RR: '20.00',
  RS: '17.00',
  SC: '17.00',
  SE: '19.00',
  SP: '18.00',
  TO: '20.00',
};

const south: readonly string[] = ['MG', 'PR', 'RJ', 'RS', 'SC', 'SP'];
/** Origins with more than 40 % of imported content (Senate resolution 13/2012). */
const imported: readonly string[] = [
  'ForeignDirectImport',
  'ForeignInternalMarket',
  'NationalWith40To70Import',
  'NationalWithGreater70Import',
];

export function internalRate(state: string): string {
  return internal[state] ?? '18.00';
}

/** 4 % for imported goods, 7 % from the south and southeast to the other regions, else 12 % (Senate 22/1989). */
export function interstateRate(from: string, to: string, origin: string): string {
  if (imported.includes(origin)) return '4.00';
  return south.includes(from) && !south.includes(to) ? '7.00' : '12.00';
}
