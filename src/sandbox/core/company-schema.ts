/** What is told of a company beside its name and when it was deleted; products by sku and events by key, for look-ups. */
export const companyMigration = `
ALTER TABLE companies ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
ALTER TABLE companies ADD COLUMN created_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE companies ADD COLUMN modified_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE companies ADD COLUMN deleted_on INTEGER;
CREATE INDEX companies_by_tax_number ON companies (tenant_id, federal_tax_number);
CREATE INDEX products_by_sku ON products (tenant_id, json_extract(content, '$.sku'));
CREATE INDEX document_events_by_key ON document_events (access_key);
`;
