import { drillClients, STEPS } from './drill/clients.js';

/** `clients kills seed` */
const [clients = 300, kills = 20, seed = 7] = process.argv.slice(2).map(Number);
const found = await drillClients({ clients, kills, seed });
console.log(JSON.stringify(found, undefined, 2));
const { exitCode, checkExitCode, drift, uncertain, twice, missing, unchanged } = found.right;
const isRight =
  exitCode === 0 && checkExitCode === 0 && drift + uncertain + twice + missing === 0 && unchanged === clients * STEPS;
if (!isRight) process.exitCode = 1;
