import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readListed } from '../../../src/services/documents/events.js';
import { openStorage } from '../../../src/archive/open-storage.js';
import { optionsWith } from '../../archive/storages.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const event =
  '<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00"><infEvento>' +
  '<tpEvento>210200</tpEvento><nSeqEvento>1</nSeqEvento></infEvento></evento></procEventoNFe>';

test('the code of an event is read from its file in the archive, and not behind a symbolic link', async () => {
  const archive = temporaryFolder();
  mkdirSync(join(archive, 'nfe'));
  writeFileSync(join(archive, 'nfe', 'event.xml'), event);
  symlinkSync(join(archive, 'nfe'), join(archive, 'linked'));
  const row = (path: string) => ({ eventKey: 'opaque', archive, path });
  const confirmation = { eventCode: 210200, sequence: 1, progress: 'registered' };
  const open = (location: string) => openStorage(location, optionsWith({}));
  expect(await readListed([row('nfe/event.xml')], open)).toEqual({ events: [confirmation], unread: 0 });
  expect(await readListed([row('linked/event.xml')], open)).toEqual({ events: [], unread: 1 });
});
