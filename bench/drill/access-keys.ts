/** Access keys of made-up NF-e of October 2026, right in form and check digit; number `index + 1` of series 1. */
export function accessKey(index: number): string {
  const number = String(index + 1).padStart(9, '0');
  const body = `352610${'57049000141530'.padStart(14, '0')}55001${number}1${String(index).padStart(8, '0')}`;
  return body + checkDigit(body);
}

function checkDigit(body: string): string {
  const sum = [...body].reduceRight(
    ({ total, weight }, digit) => ({
      total: total + (digit.charCodeAt(0) - 48) * weight,
      weight: weight === 9 ? 2 : weight + 1,
    }),
    { total: 0, weight: 2 },
  ).total;
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
