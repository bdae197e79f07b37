"use strict";
exports.id = 386;
exports.ids = [386];
exports.modules = {

/***/ 68386:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createUndiciTransport: () => (/* binding */ createUndiciTransport)
/* harmony export */ });
/* harmony import */ var _main_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(25915);
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(57075);
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_stream__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var undici__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(46752);



// src/http/undici-transport.ts
const CONNECT_TIMEOUT_MS = 2e4;
function createUndiciTransport(proxies) {
	const shared = {
		"http:": createAgent("http:", proxies),
		"https:": createAgent("https:", proxies)
	};
	return {
		async begin(request$1, watch, signal) {
			const protocol = new URL(request$1.url).protocol === "https:" ? "https:" : "http:";
			const own = request$1.freshConnection && createAgent(protocol, proxies);
			const { method, url, headers } = request$1;
			const body = bodyOf(request$1, watch);
			const end = () => {
				if (body instanceof node_stream__WEBPACK_IMPORTED_MODULE_1__.Readable) body.destroy();
				if (own) own.destroy();
			};
			try {
				const dispatcher = own || shared[protocol];
				const answer = await (0,undici__WEBPACK_IMPORTED_MODULE_2__/* .request */ .Em)(url, {
					dispatcher,
					method,
					headers,
					body,
					signal
				});
				return {
					status: answer.statusCode,
					headers: answer.headers,
					body: answer.body,
					end
				};
			} catch (error) {
				end();
				throw error;
			}
		},
		async close() {
			await Promise.all([shared["http:"].destroy(), shared["https:"].destroy()]);
		}
	};
}
function createAgent(protocol, { http, https, except }) {
	return new undici__WEBPACK_IMPORTED_MODULE_2__/* .EnvHttpProxyAgent */ .J2({
		allowH2: false,
		keepAliveTimeout: _main_js__WEBPACK_IMPORTED_MODULE_0__.A,
		headersTimeout: 0,
		bodyTimeout: 0,
		connectTimeout: CONNECT_TIMEOUT_MS,
		httpProxy: protocol === "http:" ? http : "",
		httpsProxy: protocol === "https:" ? https : "",
		noProxy: except
	});
}
function bodyOf({ body }, watch) {
	if (typeof body !== "object") return body ?? null;
	return node_stream__WEBPACK_IMPORTED_MODULE_1__.Readable.from(copies(body, watch), { objectMode: false }).on("error", () => void 0);
}
async function* copies({ pieces }, watch) {
	for await (const piece of pieces) {
		yield Buffer.from(piece);
		watch.sent();
	}
	watch.sentAll();
}



/***/ })

};
;