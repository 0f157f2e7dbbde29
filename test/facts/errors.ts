/** §7: status codes. */
export const badRequest = 400;
export const forbidden = 403;
export const notFound = 404;
export const conflict = 409;
export const unprocessable = 422;
export const tooManyRequests = 429;
/** §7: `error.code`, the one value that the document names. */
export const validationCode = 'validation_error';
/** §7: the fields of the error body. */
export const errorFields = ['code', 'message', 'details', 'requestId'];
/** §7: `details` is an array of objects with these. */
export const detailFields = ['field', 'message'];
/** §8: answered with 429, in seconds. */
export const waitHeader = 'retry-after';
