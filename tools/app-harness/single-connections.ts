import http from 'node:http';
import { Agent, setGlobalDispatcher } from 'undici';

/**
 * `fetch` and `http.request` of a test keep no connection: a port may come again within milliseconds, and a kept
 * connection leads to the server that had it before.
 */
setGlobalDispatcher(new Agent({ pipelining: 0 }));
http.globalAgent = new http.Agent();
