import forge from 'node-forge';

const { asn1 } = forge;
const { SEQUENCE, OCTETSTRING, OID, INTEGER } = asn1.Type;

const sequence = (...parts: forge.asn1.Asn1[]) => asn1.create(asn1.Class.UNIVERSAL, SEQUENCE, true, parts);
const primitive = (type: forge.asn1.Type, bytes: string) => asn1.create(asn1.Class.UNIVERSAL, type, false, bytes);
const tagged = (...parts: forge.asn1.Asn1[]) => asn1.create(asn1.Class.CONTEXT_SPECIFIC, 0, true, parts);
const oid = (name: string) =>
  primitive(OID, asn1.oidToDer(/^\d/.test(name) ? name : (forge.pki.oids[name] ?? '')).getBytes());
const integer = (value: number) => primitive(INTEGER, asn1.integerToDer(value).getBytes());
const octets = (value: forge.asn1.Asn1) => primitive(OCTETSTRING, asn1.toDer(value).getBytes());

/** A key whose decryption takes hours. */
const slowKey = () =>
  sequence(
    sequence(
      oid('pkcs5PBES2'),
      sequence(
        sequence(oid('pkcs5PBKDF2'), sequence(primitive(OCTETSTRING, '12345678'), integer(2_147_483_647))),
        sequence(oid('aes256-CBC'), primitive(OCTETSTRING, '1234567890123456')),
      ),
    ),
    primitive(OCTETSTRING, 'x'.repeat(64)),
  );

const slowBag = () => sequence(oid('pkcs8ShroudedKeyBag'), tagged(slowKey()));

const data = (content: forge.asn1.Asn1) => sequence(oid('data'), tagged(octets(content)));

function encrypted(content: forge.asn1.Asn1, password: string): forge.asn1.Asn1 {
  const whole = forge.pki.encryptPrivateKeyInfo(content, password, { algorithm: 'aes128', count: 1 });
  const [algorithm, cipher] = whole.value as [forge.asn1.Asn1, forge.asn1.Asn1];
  const bytes = asn1.create(asn1.Class.CONTEXT_SPECIFIC, 0, false, cipher.value);
  return sequence(oid('encryptedData'), tagged(sequence(integer(0), sequence(oid('data'), algorithm, bytes))));
}

/** With a MAC, which OpenSSL checks before it opens anything. */
function fileOf(password: string, ...contents: forge.asn1.Asn1[]): Buffer {
  const content = asn1.toDer(sequence(...contents)).getBytes();
  const digest = forge.md.sha1.create();
  const hmac = forge.hmac.create();
  hmac.start(digest, forge.pkcs12.generateKey(password, forge.util.createBuffer('12345678'), 3, 1, 20, digest));
  hmac.update(content);
  const mac = sequence(
    sequence(oid('sha1'), primitive(asn1.Type.NULL, '')),
    primitive(OCTETSTRING, hmac.digest().data),
  );
  const macData = sequence(mac, primitive(OCTETSTRING, '12345678'), integer(1));
  const safe = sequence(oid('data'), tagged(primitive(OCTETSTRING, content)));
  return Buffer.from(asn1.toDer(sequence(integer(3), safe, macData)).getBytes(), 'latin1');
}

const unreadable = () => sequence(oid('1.2.3.4'), tagged(integer(1)));

/** Files of which OpenSSL would derive a key for hours, behind what hides that from a look at the file. */
export const slowFiles = (password: string): readonly (readonly [hidden: string, file: Buffer])[] => [
  ['in the open', fileOf(password, data(sequence(slowBag())))],
  ['inside encrypted content', fileOf(password, encrypted(sequence(slowBag()), password))],
  [
    'inside a bag of bags',
    fileOf(password, data(sequence(sequence(oid('1.2.840.113549.1.12.10.1.6'), tagged(sequence(slowBag())))))),
  ],
  ['behind content of an unknown type', fileOf(password, unreadable(), data(sequence(slowBag())))],
];
