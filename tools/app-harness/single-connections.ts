import { Agent, setGlobalDispatcher } from 'undici';

/**
 * `fetch` of a test keeps no connection: a port may come again within milliseconds, and a kept connection leads to the
 * server that had it before.
 */
setGlobalDispatcher(new Agent({ pipelining: 0 }));
