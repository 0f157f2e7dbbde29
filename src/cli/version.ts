/** The version of the program; a test holds it to package.json, so that no file is read for it. */
export const version = '0.1.0';
