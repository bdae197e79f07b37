export const id = 863;
export const ids = [863];
export const modules = {

/***/ 37863:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createUndiciTransport: () => (/* binding */ createUndiciTransport)
/* harmony export */ });
/* harmony import */ var _main_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(80342);
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(57075);
/* harmony import */ var undici__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(46752);



// src/http/undici-transport.ts
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
		keepAliveTimeout: _main_js__WEBPACK_IMPORTED_MODULE_0__.t,
		headersTimeout: 0,
		bodyTimeout: 0,
		connectTimeout: _main_js__WEBPACK_IMPORTED_MODULE_0__.n,
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
