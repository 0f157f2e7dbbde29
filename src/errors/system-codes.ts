import type { Text } from '../contract/text.js';

const selfSigned: Text = {
  en: 'its certificate is signed by an authority that this machine does not know',
  pt: 'o certificado é assinado por uma autoridade que esta máquina não conhece',
};

const notTls: Text = { en: 'what answers there does not speak TLS', pt: 'o que responde nesse endereço não fala TLS' };

/** What the system reports as a code, about connections, certificates and files. */
const systemCodes: Readonly<Record<string, Text>> = {
  ECONNREFUSED: { en: 'nothing accepts connections there', pt: 'nada aceita conexões nesse endereço' },
  ECONNRESET: { en: 'the connection was closed', pt: 'a conexão foi encerrada' },
  ETIMEDOUT: { en: 'it does not answer', pt: 'ele não responde' },
  EHOSTUNREACH: { en: 'there is no route to it', pt: 'não há rota até ele' },
  ENETUNREACH: { en: 'the network is down', pt: 'a rede está fora do ar' },
  ENOTFOUND: { en: 'its name has no address', pt: 'o nome não tem endereço' },
  EAI_AGAIN: { en: 'the name server does not answer', pt: 'o servidor de nomes não responde' },
  CERT_HAS_EXPIRED: { en: 'its certificate has expired', pt: 'o certificado está vencido' },
  CERT_NOT_YET_VALID: { en: 'its certificate is not valid yet', pt: 'o certificado ainda não é válido' },
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: selfSigned,
  ERR_TLS_CERT_ALTNAME_INVALID: { en: 'its certificate is for another name', pt: 'o certificado é de outro nome' },
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  EACCES: { en: 'this user has no permission', pt: 'este usuário não tem permissão' },
  EPERM: { en: 'the system does not permit it', pt: 'o sistema não permite' },
  ENOENT: { en: 'it does not exist', pt: 'não existe' },
  EEXIST: { en: 'it exists already', pt: 'já existe' },
  EISDIR: { en: 'it is a folder', pt: 'é uma pasta' },
  ENOTDIR: { en: 'a part of the path is not a folder', pt: 'uma parte do caminho não é uma pasta' },
  ENOTEMPTY: { en: 'the folder is not empty', pt: 'a pasta não está vazia' },
  ENAMETOOLONG: { en: 'the name is too long', pt: 'o nome é longo demais' },
  ELOOP: { en: 'its symbolic links do not end', pt: 'os links simbólicos não terminam' },
  EROFS: { en: 'the disk is read-only', pt: 'o disco é somente leitura' },
  ENOSPC: { en: 'no space is left on the disk', pt: 'não há espaço no disco' },
  EDQUOT: { en: 'the disk quota is used up', pt: 'a cota de disco acabou' },
  EMFILE: { en: 'too many files are open', pt: 'há arquivos abertos demais' },
  EBUSY: { en: 'another program uses it', pt: 'outro programa está usando' },
  ETXTBSY: { en: 'a program is writing it', pt: 'um programa está gravando nele' },
  EIO: { en: 'the disk reports a fault', pt: 'o disco relata uma falha' },
  EXDEV: { en: 'it is on another disk', pt: 'está em outro disco' },
};

/** A code of the system in words, with the code for a search; any other text as it is. */
export function codeInWords(code: string): string | Text {
  const words = Object.hasOwn(systemCodes, code) ? systemCodes[code] : undefined;
  return words === undefined ? code : { en: `${words.en} (${code})`, pt: `${words.pt} (${code})` };
}
