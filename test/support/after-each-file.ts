import { afterAll } from 'vitest';
import './rsa-keys.js';
import { removeTemporaryFolders } from './temporary-folder.js';

// Vitest runs this for every test file, while it loads other modules once for all files of a worker.
afterAll(removeTemporaryFolders);
