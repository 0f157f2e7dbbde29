import { createHash } from 'node:crypto';
import { addFault } from '../drill/ledger.js';

/** What the sandbox has, asked without the program's own code. */
export class Service {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  async companies(): Promise<readonly string[]> {
    const { companies } = await this.#json('/v2/companies?limit=50');
    return rowsOf(companies).map((company) => String(company['id']));
  }

  /** How many documents all the lists hold. */
  async documents(): Promise<number> {
    let sum = 0;
    for (const company of await this.companies()) {
      const base = `/v2/companies/${company}/inbound`;
      const nfe = await this.#json(`${base}/nfe?$top=1&$count=true`);
      const cte = await this.#json(`${base}/odata/TransportationInvoices?$top=1&$count=true&$filter=nsu%20ge%200`);
      const nfse = await this.#json(`${base}/nfse?pageIndex=1&pageCount=1&hasTotals=true`);
      sum += Number(nfe['@odata.count']) + Number(cte['@odata.count']) + Number(nfse['totalResults']);
    }
    return sum;
  }

  /** Everything that was captured, hidden or not, as the sandbox itself knows it. */
  async captured(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const all: Readonly<Record<string, unknown>>[] = [];
    for (;;) {
      const after = Number(all.at(-1)?.['position'] ?? 0);
      const { documents } = await this.#json(`/__sandbox/documents?limit=1000&after=${after}`);
      const rows = rowsOf(documents);
      if (rows.length === 0) return all;
      all.push(...rows);
    }
  }

  /** The access keys of all NF-e of a company. */
  async keys(company: string): Promise<readonly string[]> {
    const keys: string[] = [];
    for (;;) {
      const query = `$top=500&$skip=${keys.length}&$orderby=nsu%20asc`;
      const { value } = await this.#json(`/v2/companies/${company}/inbound/nfe?${query}`);
      const rows = rowsOf(value);
      if (rows.length === 0) return keys;
      keys.push(...rows.map((row) => String(row['accessKey'])));
    }
  }

  async xmlHash({ companyId, family, accessKey }: Readonly<Record<string, unknown>>): Promise<string> {
    const part = family === 'cte' ? '' : `${String(family)}/`;
    const path = `/v2/companies/${String(companyId)}/inbound/${part}${String(accessKey)}/xml`;
    const answer = await fetch(`${this.url}${path}`, { headers: { authorization: this.key } });
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  }

  async control(path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/__sandbox/${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`);
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.url}/__sandbox/faults`, { method: 'DELETE' });
  }

  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    await addFault(this.url, fault);
  }

  async #json(path: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await fetch(`${this.url}${path}`, { headers: { authorization: this.key } });
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
    // The sandbox's own tests hold the shape of its answers.
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  }
}

function rowsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}
