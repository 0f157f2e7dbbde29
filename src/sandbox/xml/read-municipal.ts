import { amountOf, type GivenNote, nobody, numbersOf, timeOf } from './given-document.js';
import type { Party } from './layout.js';
import type { XmlNode } from './read-xml.js';

/**
 * A note of a municipal layout, of which there are hundreds: the names that they share are looked for, in any spelling. `undefined`:
 * no provider with a number and a date.
 */
export function readMunicipalNote(root: XmlNode): GivenNote | undefined {
  const names = fieldsOf(root);
  const number = names.first(/^(?:nfse?)?(?:numero|num|nr)(?:(?:da)?(?:nfs?e?|notafiscal|nota))?$/);
  const issuedOn = timeOf(localTimeOf(names.first(/^(?:data|dt|dh)(?:hora)?(?:da)?(?:emissao|emi)/)));
  const issuer = names.party(/prestador|^emit/);
  if (number === undefined || issuedOn === undefined || issuer === undefined) return undefined;
  const recipient = names.party(/tomador|^toma$/);
  const intermediary = names.party(/intermediario/);
  return {
    part: 'note',
    model: 'nfse',
    family: 'nfse',
    accessKey: null,
    ...{ issuer, recipient: recipient ?? nobody, intermediary },
    taxNumbers: numbersOf([issuer, recipient, intermediary]),
    ...{ issuedOn, authorizedOn: issuedOn, number },
    amount: amountOf(
      decimalOf(
        names.first(/^(?:valor|vl)(?:total)?(?:dos?)?servicos?/) ??
          names.first(/^(?:valor|vl)(?:total)?(?:da)?(?:nota|liquido)/),
      ),
    ),
    serie: names.first(/^codigoverificacao|^codverificacao|^chaveacesso/) ?? '',
    protocol: null,
    isDenied: false,
    environment: 'Production',
    description: names.first(/^discriminacao|^descricaoservico/) ?? '',
  };
}

interface Field {
  /** The names above it and its own, in small letters and digits only. */
  readonly path: readonly string[];
  readonly name: string;
  readonly text: string;
}

function fieldsOf(root: XmlNode) {
  const fields = [...leavesOf(root)];
  return {
    first: (pattern: RegExp) => fields.find(({ name }) => pattern.test(name))?.text,
    party(pattern: RegExp): Party | undefined {
      const own = fields.filter(({ path }) => path.some((name) => pattern.test(name)));
      const taxNumber = own.find(({ name, text }) => /cnpj|cpf/.test(name) && digitsOf(text) !== undefined);
      if (taxNumber === undefined) return undefined;
      const name = own.find((field) => /^(?:razaosocial|nomerazao|nome|xnome)/.test(field.name))?.text;
      return { taxNumber: digitsOf(taxNumber.text) ?? '', name: name ?? '' };
    },
  };
}

function* leavesOf(node: XmlNode, above: readonly string[] = []): Generator<Field> {
  const name = node.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const path = [...above, name];
  if (node.text !== '') yield { path, name, text: node.text };
  for (const child of node.children) yield* leavesOf(child, path);
}

/** A CNPJ or CPF, with or without its punctuation. */
function digitsOf(text: string): string | undefined {
  const plain = text.replaceAll(/[./\-\s]/g, '').toUpperCase();
  return /^(?:[0-9A-Z]{12}\d\d|\d{11})$/.test(plain) ? plain : undefined;
}

/** `05/10/2026 09:00:00` as `2026-10-05T09:00:00`. */
function localTimeOf(text: string | undefined): string | undefined {
  const [, day, month, year, time] =
    /^(\d\d)\/(\d\d)\/(\d{4})(?:\s+(\d\d:\d\d(?::\d\d)?))?/.exec(text ?? '') ?? [];
  if (day === undefined) return text;
  return `${year}-${month}-${day}${time === undefined ? '' : `T${time}`}`;
}

/** `1.234,56` as `1234.56`. */
function decimalOf(text: string | undefined): string | undefined {
  return text?.includes(',') === true ? text.replaceAll('.', '').replace(',', '.') : text;
}
