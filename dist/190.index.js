export const id = 190;
export const ids = [190];
export const modules = {

/***/ 98190:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createUndiciTransport: () => (/* binding */ createUndiciTransport)
/* harmony export */ });
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(57075);
/* harmony import */ var undici__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(46752);
/* harmony import */ var _node_transport_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(92990);



const CONNECT_TIMEOUT_MS = 20_000;
/** Through proxies, where the settings do not except the host. It takes long to load, so only who needs it should. */
function createUndiciTransport(proxies) {
    const shared = { 'http:': createAgent('http:', proxies), 'https:': createAgent('https:', proxies) };
    return {
        async begin(request, watch, signal) {
            const protocol = new URL(request.url).protocol === 'https:' ? 'https:' : 'http:';
            const own = request.freshConnection && createAgent(protocol, proxies);
            const { method, url, headers } = request;
            const body = bodyOf(request, watch);
            const end = () => {
                if (body instanceof node_stream__WEBPACK_IMPORTED_MODULE_0__.Readable)
                    body.destroy();
                if (own)
                    void own.destroy();
            };
            try {
                const dispatcher = own || shared[protocol];
                const answer = await (0,undici__WEBPACK_IMPORTED_MODULE_1__/* .request */ .Em)(url, { dispatcher, method, headers, body, signal });
                return { status: answer.statusCode, headers: answer.headers, body: answer.body, end };
            }
            catch (error) {
                end();
                throw error;
            }
        },
        async close() {
            await Promise.all([shared['http:'].destroy(), shared['https:'].destroy()]);
        },
    };
}
/**
 * One agent for each protocol, because undici's own would send https through `HTTP_PROXY` too. HTTP/2 stays off: several
 * large bodies over one connection share one window and get in each other's way.
 */
function createAgent(protocol, { http, https, except }) {
    return new undici__WEBPACK_IMPORTED_MODULE_1__/* .EnvHttpProxyAgent */ .J2({
        allowH2: false,
        keepAliveTimeout: _node_transport_js__WEBPACK_IMPORTED_MODULE_2__/* .KEEP_ALIVE_MS */ .t,
        // The stall watch replaces them: they do not cover the way through a proxy, nor what is being sent.
        headersTimeout: 0,
        bodyTimeout: 0,
        connectTimeout: CONNECT_TIMEOUT_MS,
        httpProxy: protocol === 'http:' ? http : '',
        httpsProxy: protocol === 'https:' ? https : '',
        noProxy: except,
    });
}
function bodyOf({ body }, watch) {
    if (typeof body !== 'object')
        return body ?? null;
    const stream = node_stream__WEBPACK_IMPORTED_MODULE_0__.Readable.from(copies(body, watch), { objectMode: false });
    // Undici rejects the request with it, but stops listening before the stream is closed.
    return stream.on('error', () => undefined);
}
/** Undici asks for a piece before the last one has left. */
async function* copies({ pieces }, watch) {
    for await (const piece of pieces) {
        yield Buffer.from(piece);
        watch.sent();
    }
    watch.sentAll();
}


/***/ })

};
