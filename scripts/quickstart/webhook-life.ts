import type { Background } from './background.js';
import { list, look } from './look.js';
import type { Stage } from './stage.js';

const secret = 'quickstart-secret-of-40-characters-00000';

const tea = { sku: 'TEA-100', description: 'Black tea, 100 g', origin: 'national', tax: { ncm: '09024000' } };

/** A listener that hears of a product from the service itself. */
export async function webhookLife(stage: Stage): Promise<void> {
  const service = await stage.begin('sandbox', 'start', '-o', 'json');
  try {
    await service.line((line) => look(line, 'type') === 'ready');
    await stage.file('webhook.secret', secret);
    const listener = await stage.begin('webhook', 'listen', '--secret-file', 'webhook.secret', '-o', 'ndjson');
    await hear(stage, listener);
  } finally {
    await service.stop();
  }
}

async function hear(stage: Stage, listener: Background): Promise<void> {
  stage.title({
    en: 'Let the service call a listener, and hear that a product is valid',
    pt: 'Deixar o serviço chamar um receptor e ouvir que um produto é válido',
  });
  const ready = await listener.line((line) => look(line, 'type') === 'ready');
  const asked = ['webhook', 'create', String(look(ready, 'url')), '--secret-file', 'webhook.secret'];
  const created = await stage.fiscal(...asked, '--events', 'product.*', '-o', 'json');
  stage.check({ en: 'the address answered the ping', pt: 'o endereço respondeu ao ping' }, created.exitCode, 0);
  await stage.file('tea.json', tea);
  const product = await stage.fiscal('product', 'create', '--file', 'tea.json', '-o', 'json');
  const id = look(product.data, 'id');
  const event = await listener.line((line) => look(line, 'resource') === id);
  stage.check(
    { en: 'its event came, signed', pt: 'seu evento chegou, assinado' },
    look(event, 'event'),
    'product.active',
  );
  stage.check(
    { en: 'the listener ends 0 when asked to', pt: 'o receptor termina com 0 quando pedido' },
    await listener.stop(),
    0,
  );
  const kept = await stage.fiscal('webhook', 'events', '--event', 'product.active', '-o', 'json');
  stage.check(
    { en: 'the event stands in the store', pt: 'o evento está guardado' },
    list(kept.data).map((row) => [look(row, 'resource'), look(row, 'state')]),
    [[id, 'delivered']],
  );
}
