/** Eleven digits with two check digits: weights 10 to 2 and 11 to 2; eleven times the same digit is none. */
export function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1{10}$/.test(text)) return false;
  const first = text.slice(0, 9) + checkDigit(text.slice(0, 9));
  return first + checkDigit(first) === text;
}

function checkDigit(text: string): string {
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (text.length + 1 - index), 0);
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}
