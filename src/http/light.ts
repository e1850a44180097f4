// In charge of requests and answers that are made within the process: those of Yoga, which keep a text as it is where
// Node.js' own make a stream of it, and a signal that nobody listens to.

export {
  Headers as LightHeaders,
  Request as LightRequest,
  Response as LightResponse,
} from '@whatwg-node/fetch';
