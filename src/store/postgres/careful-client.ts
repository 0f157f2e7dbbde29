import type { Duplex } from 'node:stream';
import pg from 'pg';

type Take = (bytes: Buffer) => void;

/**
 * The driver's parser throws at a message that it does not know, such as a request for a login by GSSAPI. It runs in an event of the
 * socket, where nobody can catch that, and the process would end. Here the connection ends, with the error.
 */
export class CarefulClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection: unknown = Reflect.get(this, 'connection');
    if (!(connection instanceof pg.Connection)) throw new Error('pg has another connection');
    const attach: unknown = Reflect.get(connection, 'attachListeners');
    if (typeof attach !== 'function') throw new Error('pg attaches its parser in another way');
    Reflect.set(connection, 'attachListeners', (stream: Duplex) => {
      const on = (event: string, take: Take) =>
        stream.on(event, event === 'data' ? carefully(stream, take) : take);
      attach.call(connection, { on });
    });
  }
}

function carefully(stream: Duplex, take: Take): Take {
  return (bytes) => {
    try {
      take(bytes);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
