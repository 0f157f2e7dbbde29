const ofThisMachine = /^(?:localhost|::1|\[::1\]|127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3})$/;

/** Whether no other machine can have this name. `URL` gives an address of version 6 in brackets, and `127.1` as `127.0.0.1`. */
export function isLoopback(host: string): boolean {
  return ofThisMachine.test(host);
}

/** Whether nobody reads what is sent there: https, or http that stays on this machine (§1, convention 6). */
export function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
