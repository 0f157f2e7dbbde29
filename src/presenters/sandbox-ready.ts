import type { Language, Text } from '../contract/text.js';

interface Ready {
  readonly url: string;
  readonly tenantId: string;
  readonly companyId: string;
}

/** The text shown when the sandbox is ready. Only the machine-readable line contains the keys. */
export function readyText(ready: Ready, language: Language): string {
  const { url, tenantId, companyId } = ready;
  const text: Text = {
    en: `The sandbox is running at ${url}\n  tenant   ${tenantId}\n  company  ${companyId}\nUse it with --profile sandbox; with -o json this line contains the keys. Ctrl-C stops it; its data is kept.\n`,
    pt: `O sandbox responde em ${url}\n  tenant   ${tenantId}\n  empresa  ${companyId}\nUse-o com --profile sandbox; com -o json esta linha traz as chaves. Ctrl-C o encerra, o estado fica.\n`,
  };
  return text[language];
}
