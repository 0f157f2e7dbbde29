/** The table of operations, typed by hand from its document. */
export const operationIds: readonly string[] = `
product.create product.get product.update product.revalidate
nfe.manifestation.submit nfe.manifestation.get nfe.manifestation.legacy
nfse.manifestation.submit nfse.manifestation.list nfse.manifestation.get
nfe.inbound.enable nfe.inbound.settings nfe.inbound.update nfe.inbound.disable
cte.inbound.enable cte.inbound.settings cte.inbound.disable
nfse.inbound.enable nfse.inbound.companies nfse.inbound.settings nfse.inbound.update nfse.inbound.disable
nfe.inbound.list nfe.inbound.get nfe.inbound.xml nfe.inbound.pdf nfe.inbound.json nfe.inbound.events nfe.inbound.event.get nfe.inbound.event.xml
nfe.inbound.reprocessWebhook
cte.inbound.list cte.inbound.get cte.inbound.xml cte.inbound.pdf cte.inbound.events cte.inbound.event.get cte.inbound.event.xml
nfse.inbound.list nfse.inbound.get nfse.inbound.xml nfse.inbound.pdf nfse.inbound.json
nfse.inbound.reprocess nfse.inbound.resendWebhook
nfse.startFromDate.set nfse.backfill.summary nfse.backfill.release nfse.fetchByKey
nfse.fetchNow nfse.notifications nfse.statistics nfse.reactivate nfse.resetNsu
invoice.create invoice.get
nfe.issue nfe.stateTax.issue nfe.list nfe.get nfe.cancel nfe.events nfe.pdf nfe.xml nfe.correct nfe.letter.xml nfe.letter.pdf nfe.rejection.xml nfe.disable nfe.disableInvoice
nfce.issue nfce.stateTax.issue nfce.list nfce.get nfce.cancel nfce.events nfce.pdf nfce.xml nfce.rejection.xml nfce.disable
nfse.issue nfse.list nfse.get nfse.getByExternalId nfse.cancel nfse.email nfse.pdf nfse.xml nfse.cancellation.xml
tax.calculate tax.codes
lookup.cnpj lookup.cpf lookup.address lookup.nfe lookup.nfe.pdf lookup.nfe.xml lookup.nfe.events
company.list company.get company.create company.update company.delete
stateTax.list stateTax.get stateTax.create stateTax.update stateTax.switchAuthorizer
municipalTax.list municipalTax.get municipalTax.create municipalTax.update
certificate.list certificate.get certificate.upload certificate.delete
webhook.list webhook.create webhook.get webhook.update webhook.delete webhook.ping webhook.eventTypes
`
  .trim()
  .split(/\s+/);
