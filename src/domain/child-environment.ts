import type { Environment } from './world.js';

/** What a program needs to run and to speak the language of the user. */
const system =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The same on Windows, in any letter case. */
const windows =
  /^(?:PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH)$/i;

/** Where this program keeps its files, and whose data it means. */
const fiscal = /^FISCAL_(?:(?:STATE|CONFIG|DATA|CACHE)_DIR|PROFILE|COMPANY|TENANT|LANG|(?!STORE_)\w+_URL)$/;

/** The variables that hold a secret, or say where one is. */
const secret = /^FISCAL_(?:INVOICE_KEY|DATA_KEY|JWT|WEBHOOK_SECRET|STORE_URL)(?:_FILE|_COMMAND)?$/;

/** Of those, the ones that hold it. */
const secretItself = /^FISCAL_(?:INVOICE_KEY|DATA_KEY|JWT|WEBHOOK_SECRET|STORE_URL)$/;

/** What opens the bucket of an archive or the database of a store; the address of a proxy may have a password. */
const login =
  /^(?:AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|CONTAINER_AUTHORIZATION_TOKEN)|PGPASSWORD|FISCAL_PROXY)$/;

/** The environment of a program that gets no key: only what is known to be needed, and the variables of these names. */
export function allowedEnvironment(env: Environment, more: readonly string[] = []): Environment {
  return only(env, (name) => system.test(name) || windows.test(name) || fiscal.test(name) || more.includes(name));
}

/**
 * The environment of a program that the user starts, without the keys of this one. Logins stay: a command that fetches a secret,
 * and a test in a sandbox, may need them.
 */
export function environmentWithoutKeys(env: Environment): Environment {
  return only(env, (name) => !secret.test(name));
}

/** The environment of a program that only shows something: without keys and logins. */
export function environmentOfViewer(env: Environment): Environment {
  return only(environmentWithoutKeys(env), (name) => !login.test(name));
}

/** The names of the variables that hold a secret. */
export function secretVariablesOf(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => secretItself.test(name));
}

function only(env: Environment, isAllowed: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name)));
}
