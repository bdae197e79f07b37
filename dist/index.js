import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 765:
/***/ ((module) => {

function webpackEmptyAsyncContext(req) {
	// Here Promise.resolve().then() is used instead of new Promise() to prevent
	// uncaught exception popping up in devtools
	return Promise.resolve().then(() => {
		var e = new Error("Cannot find module '" + req + "'");
		e.code = 'MODULE_NOT_FOUND';
		throw e;
	});
}
webpackEmptyAsyncContext.keys = () => ([]);
webpackEmptyAsyncContext.resolve = webpackEmptyAsyncContext;
webpackEmptyAsyncContext.id = 765;
module.exports = webpackEmptyAsyncContext;

/***/ }),

/***/ 181:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("buffer");

/***/ }),

/***/ 982:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("crypto");

/***/ }),

/***/ 434:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("events");

/***/ }),

/***/ 896:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");

/***/ }),

/***/ 943:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs/promises");

/***/ }),

/***/ 611:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("http");

/***/ }),

/***/ 692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("https");

/***/ }),

/***/ 573:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:buffer");

/***/ }),

/***/ 598:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");

/***/ }),

/***/ 24:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 67:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http");

/***/ }),

/***/ 327:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:https");

/***/ }),

/***/ 161:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");

/***/ }),

/***/ 708:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:process");

/***/ }),

/***/ 75:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream");

/***/ }),

/***/ 975:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");

/***/ }),

/***/ 522:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:zlib");

/***/ }),

/***/ 857:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");

/***/ }),

/***/ 928:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("path");

/***/ }),

/***/ 203:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("stream");

/***/ }),

/***/ 899:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  a: () => (/* binding */ setSecret),
  i: () => (/* binding */ info),
  n: () => (/* binding */ debug$1),
  o: () => (/* binding */ warning),
  r: () => (/* binding */ error),
  t: () => (/* binding */ require_src)
});

// EXTERNAL MODULE: ./lib/rolldown-runtime.js + 1 modules
var rolldown_runtime = __nccwpck_require__(238);
// EXTERNAL MODULE: external "os"
var external_os_ = __nccwpck_require__(857);
// EXTERNAL MODULE: external "crypto"
var external_crypto_ = __nccwpck_require__(982);
// EXTERNAL MODULE: external "fs"
var external_fs_ = __nccwpck_require__(896);
// EXTERNAL MODULE: external "path"
var external_path_ = __nccwpck_require__(928);
;// CONCATENATED MODULE: external "assert"
const external_assert_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("assert");
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __nccwpck_require__(522);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(598);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __nccwpck_require__(573);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(24);
;// CONCATENATED MODULE: external "node:path"
const external_node_path_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");
;// CONCATENATED MODULE: external "node:fs/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __nccwpck_require__(161);
;// CONCATENATED MODULE: ./lib/main.js















// node_modules/@actions/core/lib/utils.js
function toCommandValue(input) {
	if (input === null || input === void 0) return "";
	else if (typeof input === "string" || input instanceof String) return input;
	return JSON.stringify(input);
}
function toCommandProperties(annotationProperties) {
	if (!Object.keys(annotationProperties).length) return {};
	return {
		title: annotationProperties.title,
		file: annotationProperties.file,
		line: annotationProperties.startLine,
		endLine: annotationProperties.endLine,
		col: annotationProperties.startColumn,
		endColumn: annotationProperties.endColumn
	};
}
// node_modules/@actions/core/lib/command.js
function issueCommand(command, properties, message) {
	const cmd = new Command(command, properties, message);
	process.stdout.write(cmd.toString() + external_os_.EOL);
}
function issue$1(name, message = "") {
	issueCommand(name, {}, message);
}
const CMD_STRING = "::";
var Command = class {
	constructor(command, properties, message) {
		if (!command) command = "missing.command";
		this.command = command;
		this.properties = properties;
		this.message = message;
	}
	toString() {
		let cmdStr = CMD_STRING + this.command;
		if (this.properties && Object.keys(this.properties).length > 0) {
			cmdStr += " ";
			let first = true;
			for (const key in this.properties) if (this.properties.hasOwnProperty(key)) {
				const val = this.properties[key];
				if (val) {
					if (first) first = false;
					else cmdStr += ",";
					cmdStr += `${key}=${escapeProperty(val)}`;
				}
			}
		}
		cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
		return cmdStr;
	}
};
function escapeData(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
function escapeProperty(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
}
// node_modules/@actions/core/lib/file-command.js
function issueFileCommand(command, message) {
	const filePath = process.env[`GITHUB_${command}`];
	if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
	if (!external_fs_.existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
	external_fs_.appendFileSync(filePath, `${toCommandValue(message)}${external_os_.EOL}`, { encoding: "utf8" });
}
function prepareKeyValueMessage(key, value) {
	const delimiter = `ghadelimiter_${external_crypto_.randomUUID()}`;
	const convertedValue = toCommandValue(value);
	if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
	if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
	return `${key}<<${delimiter}${external_os_.EOL}${convertedValue}${external_os_.EOL}${delimiter}`;
}
// node_modules/@actions/core/lib/summary.js
var __awaiter$3 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
const { access, appendFile, writeFile: writeFile$1 } = external_fs_.promises;
const SUMMARY_ENV_VAR = "GITHUB_STEP_SUMMARY";
var Summary = class {
	constructor() {
		this._buffer = "";
	}
	filePath() {
		return __awaiter$3(this, void 0, void 0, function* () {
			if (this._filePath) return this._filePath;
			const pathFromEnv = process.env[SUMMARY_ENV_VAR];
			if (!pathFromEnv) throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
			try {
				yield access(pathFromEnv, external_fs_.constants.R_OK | external_fs_.constants.W_OK);
			} catch (_a) {
				throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
			}
			this._filePath = pathFromEnv;
			return this._filePath;
		});
	}
	wrap(tag, content, attrs = {}) {
		const htmlAttrs = Object.entries(attrs).map(([key, value]) => ` ${key}="${value}"`).join("");
		if (!content) return `<${tag}${htmlAttrs}>`;
		return `<${tag}${htmlAttrs}>${content}</${tag}>`;
	}
	write(options) {
		return __awaiter$3(this, void 0, void 0, function* () {
			const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
			const filePath = yield this.filePath();
			yield (overwrite ? writeFile$1 : appendFile)(filePath, this._buffer, { encoding: "utf8" });
			return this.emptyBuffer();
		});
	}
	clear() {
		return __awaiter$3(this, void 0, void 0, function* () {
			return this.emptyBuffer().write({ overwrite: true });
		});
	}
	stringify() {
		return this._buffer;
	}
	isEmptyBuffer() {
		return this._buffer.length === 0;
	}
	emptyBuffer() {
		this._buffer = "";
		return this;
	}
	addRaw(text, addEOL = false) {
		this._buffer += text;
		return addEOL ? this.addEOL() : this;
	}
	addEOL() {
		return this.addRaw(external_os_.EOL);
	}
	addCodeBlock(code, lang) {
		const attrs = Object.assign({}, lang && { lang });
		const element = this.wrap("pre", this.wrap("code", code), attrs);
		return this.addRaw(element).addEOL();
	}
	addList(items, ordered = false) {
		const tag = ordered ? "ol" : "ul";
		const listItems = items.map((item) => this.wrap("li", item)).join("");
		const element = this.wrap(tag, listItems);
		return this.addRaw(element).addEOL();
	}
	addTable(rows) {
		const tableBody = rows.map((row) => {
			const cells = row.map((cell) => {
				if (typeof cell === "string") return this.wrap("td", cell);
				const { header, data, colspan, rowspan } = cell;
				const tag = header ? "th" : "td";
				const attrs = Object.assign(Object.assign({}, colspan && { colspan }), rowspan && { rowspan });
				return this.wrap(tag, data, attrs);
			}).join("");
			return this.wrap("tr", cells);
		}).join("");
		const element = this.wrap("table", tableBody);
		return this.addRaw(element).addEOL();
	}
	addDetails(label, content) {
		const element = this.wrap("details", this.wrap("summary", label) + content);
		return this.addRaw(element).addEOL();
	}
	addImage(src, alt, options) {
		const { width, height } = options || {};
		const attrs = Object.assign(Object.assign({}, width && { width }), height && { height });
		const element = this.wrap("img", null, Object.assign({
			src,
			alt
		}, attrs));
		return this.addRaw(element).addEOL();
	}
	addHeading(text, level) {
		const tag = `h${level}`;
		const allowedTag = [
			"h1",
			"h2",
			"h3",
			"h4",
			"h5",
			"h6"
		].includes(tag) ? tag : "h1";
		const element = this.wrap(allowedTag, text);
		return this.addRaw(element).addEOL();
	}
	addSeparator() {
		const element = this.wrap("hr", null);
		return this.addRaw(element).addEOL();
	}
	addBreak() {
		const element = this.wrap("br", null);
		return this.addRaw(element).addEOL();
	}
	addQuote(text, cite) {
		const attrs = Object.assign({}, cite && { cite });
		const element = this.wrap("blockquote", text, attrs);
		return this.addRaw(element).addEOL();
	}
	addLink(text, href) {
		const element = this.wrap("a", text, { href });
		return this.addRaw(element).addEOL();
	}
};
const summary = new Summary();
var ExitCode;
(function(ExitCode) {
	ExitCode[ExitCode["Success"] = 0] = "Success";
	ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
function setSecret(secret) {
	issueCommand("add-mask", {}, secret);
}
function getInput(name, options) {
	const val = process.env[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`] || "";
	if (options && options.required && !val) throw new Error(`Input required and not supplied: ${name}`);
	if (options && options.trimWhitespace === false) return val;
	return val.trim();
}
function setOutput(name, value) {
	if (process.env["GITHUB_OUTPUT"] || "") return issueFileCommand("OUTPUT", prepareKeyValueMessage(name, value));
	process.stdout.write(external_os_.EOL);
	issueCommand("set-output", { name }, toCommandValue(value));
}
function debug$1(message) {
	issueCommand("debug", {}, message);
}
function error(message, properties = {}) {
	issueCommand("error", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function warning(message, properties = {}) {
	issueCommand("warning", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function notice(message, properties = {}) {
	issueCommand("notice", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function info(message) {
	process.stdout.write(message + external_os_.EOL);
}
function startGroup(name) {
	issue$1("group", name);
}
function endGroup() {
	issue$1("endgroup");
}
function saveState(name, value) {
	if (process.env["GITHUB_STATE"] || "") return issueFileCommand("STATE", prepareKeyValueMessage(name, value));
	issueCommand("save-state", { name }, toCommandValue(value));
}
function getState(name) {
	return process.env[`STATE_${name}`] || "";
}
// src/lib/escape.ts
const DECEPTIVE = /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SHORT_ESCAPES = {
	"\n": "\\n",
	"\r": "\\r",
	"	": "\\t"
};
function asEscape(character) {
	return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
function visible(text) {
	return text.toWellFormed().replace(DECEPTIVE, asEscape);
}
function visibleLines(text) {
	return splitLines(text).map((line) => line.split("	").map(visible).join("	")).join("\n");
}
function splitLines(text) {
	return text.split(/\r\n|[\n\r\u2028\u2029]/);
}
function logLine(text) {
	return visible(text).replace(/^(\s*):/u, "$1\\u{3a}").replaceAll("##[", "#\\u{23}[");
}
const BREAK = "&#8203;";
const MARKDOWN_SYNTAX = /[&<>"`*_[\]|~\\^$#@]|:(?=\/\/|[\w+-]+(?::|$))|(?<=www)\.|(?<=GH)-(?=\d)/giu;
const BLOCK_START = /^(?:[-+=]|\d+[.)])/u;
function markdownEntity(character) {
	const entity = `&#${character.codePointAt(0)};`;
	switch (character) {
		case "@":
		case "#":
		case ":": return entity + BREAK;
		case ".":
		case "-": return BREAK + entity;
		default: return entity;
	}
}
function markdown(text) {
	return visible(splitLines(text).map((part) => part.replaceAll("	", " ")).join(" ")).trim().replace(MARKDOWN_SYNTAX, markdownEntity).replace(BLOCK_START, (start) => start.slice(0, -1) + `&#${start.codePointAt(start.length - 1)};`);
}
function prose$1(text) {
	return markdown(text).replace(/&#96;((?:(?!&#96;).)+)&#96;/gu, "<code>$1</code>");
}
function markdownLines(text) {
	return splitLines(text).map(markdown).join("<br>").replace(/(?:<br>){3,}/g, "<br><br>");
}
const HTML_ENTITIES = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	"\"": "&quot;",
	"'": "&#39;"
};
function entities(text) {
	return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? "");
}
function html$1(text) {
	return entities(visibleLines(text));
}
function xml(text) {
	return entities(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
const MAX_URL_LENGTH = 2048;
function safeHref(url) {
	if (url.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return void 0;
	const parsed = new URL(url);
	if (parsed.username !== "" || parsed.password !== "") return void 0;
	return parsed.href.replace(/["'`|\\^{}<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
// src/github/runner.ts
const POST_STATE = "pending-upload";
const MAIN_STARTED = "main-started";
function readSavedForPost() {
	return getState(MAIN_STARTED) === "" ? void 0 : getState(POST_STATE);
}
function markMainStarted() {
	saveRunnerState(MAIN_STARTED, "true");
}
function saveRunnerState(name, value) {
	if (process.env["GITHUB_STATE"]) saveState(name, value);
}
function isOnRunner() {
	return process.env["GITHUB_ACTIONS"] === "true" || Boolean(process.env["GITHUB_OUTPUT"]);
}
const PRINTERS = {
	error,
	warning,
	notice
};
const LABELS$1 = {
	error: "Error",
	warning: "Warning",
	notice: "Notice"
};
function print(level, message, properties = {}) {
	if (isOnRunner()) PRINTERS[level](message, properties);
	else for (const line of `${LABELS$1[level]}: ${message}`.split("\n")) info(logLine(line));
}
function createRunner() {
	const spent = {
		error: 0,
		warning: 0,
		notice: 0
	};
	const log = {
		info: (text) => info(logLine(text)),
		notice: (text) => {
			spent.notice += 1;
			print("notice", logLine(text));
		},
		warning: (text) => {
			spent.warning += 1;
			print("warning", logLine(text));
		},
		group: async (title, work) => {
			if (!isOnRunner()) {
				log.info(title);
				return await work();
			}
			startGroup(logLine(title));
			try {
				return await work();
			} finally {
				endGroup();
			}
		}
	};
	return {
		log,
		spent,
		input: (name) => getInput(name),
		mask: (secret) => {
			if (secret && isOnRunner()) setSecret(secret);
		},
		hasArtifacts: Boolean(process.env["ACTIONS_RUNTIME_TOKEN"] && process.env["ACTIONS_RESULTS_URL"]),
		saveForPost: (value) => saveRunnerState(POST_STATE, value),
		annotate: ({ level, message, path, line, title }) => {
			print(level, message, {
				title,
				...path !== void 0 && { file: path },
				...line !== void 0 && { startLine: line }
			});
		},
		output: (name, value) => {
			if (isOnRunner()) setOutput(name, value);
			else if (value !== "") log.info(`${name}: ${value}`);
		},
		writeSummary: async (markdown) => {
			if (!process.env["GITHUB_STEP_SUMMARY"]) {
				log.info("No job summary is written, because this is not a GitHub runner. The report files have the same content.");
				return;
			}
			await summary.addRaw(markdown).write();
		},
		fail: (message) => {
			process.exitCode = 1;
			print("error", logLine(message));
		}
	};
}
// src/lib/cause.ts
var GateError = class extends Error {
	name = "GateError";
	causes;
	constructor(causes, options) {
		const list = "reason" in causes ? [causes] : causes;
		super(list.map((cause) => cause.path ? `${cause.path}: ${cause.message}` : cause.message).join("\n"), options);
		this.causes = list;
	}
};
var Interruption = class extends Error {
	name = "Interruption";
	signalName;
	constructor(signalName) {
		super(`stopped by ${signalName}`);
		this.signalName = signalName;
	}
};
const DEFAULT_CONFIG = {
	lang: void 0,
	message: void 0,
	abortEarly: void 0,
	abortPipeEarly: void 0
};
function getGlobalConfig(config$1) {
	if (!config$1 && true) return DEFAULT_CONFIG;
	return {
		lang: config$1?.lang ?? void 0,
		message: config$1?.message,
		abortEarly: config$1?.abortEarly ?? void 0,
		abortPipeEarly: config$1?.abortPipeEarly ?? void 0
	};
}
function _stringify(input) {
	const type = typeof input;
	if (type === "string") return `"${input}"`;
	if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
	if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
	return type;
}
function _addIssue(context, label, dataset, config$1, other) {
	const input = other && "input" in other ? other.input : dataset.value;
	const expected = other?.expected ?? context.expects ?? null;
	const received = other?.received ?? _stringify(input);
	const issue = {
		kind: context.kind,
		type: context.type,
		input,
		expected,
		received,
		message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
		requirement: context.requirement,
		path: other?.path,
		issues: other?.issues,
		lang: config$1.lang,
		abortEarly: config$1.abortEarly,
		abortPipeEarly: config$1.abortPipeEarly
	};
	const isSchema = context.kind === "schema";
	const message$1 = other?.message ?? context.message ?? (context.reference, issue.lang, void 0) ?? (isSchema ? (issue.lang, void 0) : null) ?? config$1.message ?? (issue.lang, void 0);
	if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
	if (isSchema) dataset.typed = false;
	if (dataset.issues) dataset.issues.push(issue);
	else dataset.issues = [issue];
}
function _isSameValueZero(value1, value2) {
	return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
}
function _isValidObjectKey(object$1, key) {
	return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
}
function _joinExpects(values$1, separator) {
	const list = [...new Set(values$1)];
	if (list.length > 1) return `(${list.join(` ${separator} `)})`;
	return list[0] ?? "never";
}
function _standardSchema(schema) {
	schema["~standard"] = {
		version: 1,
		vendor: "valibot",
		validate: (value$1) => schema["~run"]({ value: value$1 }, getGlobalConfig())
	};
	return schema;
}
function getDotPath(issue) {
	if (issue.path) {
		let key = "";
		for (const item of issue.path) if (typeof item.key === "string" || typeof item.key === "number") if (key) key += `.${item.key}`;
		else key += item.key;
		else return null;
		return key;
	}
	return null;
}
var ValiError = class extends Error {
	constructor(issues) {
		super(issues[0].message);
		this.name = "ValiError";
		this.issues = issues;
	}
};
const ISO_DATE_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])$/u;
const ISO_TIMESTAMP_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z| ?[+-](?:0\d|1\d|2[0-3])(?::?[0-5]\d)?)$/u;
function check$2(requirement, message$1) {
	return {
		kind: "validation",
		type: "check",
		reference: check$2,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}
function integer(message$1) {
	return {
		kind: "validation",
		type: "integer",
		reference: integer,
		async: false,
		expects: null,
		requirement: Number.isInteger,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "integer", dataset, config$1);
			return dataset;
		}
	};
}
function isoDate(message$1) {
	return {
		kind: "validation",
		type: "iso_date",
		reference: isoDate,
		async: false,
		expects: null,
		requirement: ISO_DATE_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "date", dataset, config$1);
			return dataset;
		}
	};
}
function isoTimestamp(message$1) {
	return {
		kind: "validation",
		type: "iso_timestamp",
		reference: isoTimestamp,
		async: false,
		expects: null,
		requirement: ISO_TIMESTAMP_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "timestamp", dataset, config$1);
			return dataset;
		}
	};
}
function maxLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_length",
		reference: maxLength,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length > this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}
function minLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_length",
		reference: minLength,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length < this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}
function minValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_value",
		reference: minValue,
		async: false,
		expects: `>=${requirement instanceof Date ? requirement.toJSON() : _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !(dataset.value >= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : _stringify(dataset.value) });
			return dataset;
		}
	};
}
function regex(requirement, message$1) {
	return {
		kind: "validation",
		type: "regex",
		reference: regex,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "format", dataset, config$1);
			return dataset;
		}
	};
}
function transform(operation) {
	return {
		kind: "transformation",
		type: "transform",
		reference: transform,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = this.operation(dataset.value);
			return dataset;
		}
	};
}
function trim() {
	return {
		kind: "transformation",
		type: "trim",
		reference: trim,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.trim();
			return dataset;
		}
	};
}
function url(message$1) {
	return {
		kind: "validation",
		type: "url",
		reference: url,
		async: false,
		expects: null,
		requirement(input) {
			try {
				if (URL.canParse) return URL.canParse(input);
				new URL(input);
				return true;
			} catch {
				return false;
			}
		},
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "URL", dataset, config$1);
			return dataset;
		}
	};
}
const ABORT_EARLY_CONFIG = { abortEarly: true };
function getFallback(schema, dataset, config$1) {
	return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}
function fallback(schema, fallback$1) {
	return _standardSchema({
		...schema,
		fallback: fallback$1,
		"~run"(dataset, config$1) {
			const outputDataset = schema["~run"](dataset, config$1);
			return outputDataset.issues ? {
				typed: true,
				value: getFallback(this, outputDataset, config$1)
			} : outputDataset;
		}
	});
}
function getDefault(schema, dataset, config$1) {
	return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
}
function is(schema, input) {
	return !schema["~run"]({ value: input }, ABORT_EARLY_CONFIG).issues;
}
function array(item, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "array",
		reference: array,
		expects: "Array",
		async: false,
		item,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < input.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.item["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function main_boolean(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "boolean",
		reference: main_boolean,
		expects: "boolean",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "boolean") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function instance(class_, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "instance",
		reference: instance,
		expects: class_.name,
		async: false,
		class: class_,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value instanceof this.class) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function literal(literal_, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "literal",
		reference: literal,
		expects: _stringify(literal_),
		async: false,
		literal: literal_,
		message: message$1,
		"~run"(dataset, config$1) {
			if (_isSameValueZero(dataset.value, this.literal)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function looseObject(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "loose_object",
		reference: looseObject,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (const key in input) if (_isValidObjectKey(input, key) && !Object.prototype.hasOwnProperty.call(this.entries, key)) dataset.value[key] = input[key];
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function nullable(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullable",
		reference: nullable,
		expects: `(${wrapped.expects} | null)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null) {
				if (this.default !== void 0) dataset.value = getDefault(this, dataset, config$1);
				if (dataset.value === null) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
function nullish(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullish",
		reference: nullish,
		expects: `(${wrapped.expects} | null | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null || dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = getDefault(this, dataset, config$1);
				if (dataset.value === null || dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
function number(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "number",
		reference: number,
		expects: "number",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "number" && !isNaN(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function object(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: object,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function optional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optional,
		expects: `(${wrapped.expects} | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
function picklist(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "picklist",
		reference: picklist,
		expects: _joinExpects(options.map(_stringify), "|"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.includes(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function record(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "record",
		reference: record,
		expects: "Object",
		async: false,
		key,
		value: value$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const entryKey in input) if (_isValidObjectKey(input, entryKey)) {
					const entryValue = input[entryKey];
					const keyDataset = this.key["~run"]({ value: entryKey }, config$1);
					if (keyDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "key",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of keyDataset.issues) {
							issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = keyDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					const valueDataset = this.value["~run"]({ value: entryValue }, config$1);
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
					if (keyDataset.typed) dataset.value[keyDataset.value] = valueDataset.value;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function string(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "string",
		reference: string,
		expects: "string",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "string") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function tuple(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "tuple",
		reference: tuple,
		expects: "Array",
		async: false,
		items,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < this.items.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.items[key]["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
function _subIssues(datasets) {
	let issues;
	if (datasets) for (const dataset of datasets) if (issues) for (const issue of dataset.issues) issues.push(issue);
	else issues = dataset.issues;
	return issues;
}
function union(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "union",
		reference: union,
		expects: _joinExpects(options.map((option) => option.expects), "|"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			let validDataset;
			let typedDatasets;
			let untypedDatasets;
			for (const schema of this.options) {
				const optionDataset = schema["~run"]({ value: dataset.value }, config$1);
				if (optionDataset.typed) if (optionDataset.issues) if (typedDatasets) typedDatasets.push(optionDataset);
				else typedDatasets = [optionDataset];
				else {
					validDataset = optionDataset;
					break;
				}
				else if (untypedDatasets) untypedDatasets.push(optionDataset);
				else untypedDatasets = [optionDataset];
			}
			if (validDataset) return validDataset;
			if (typedDatasets) {
				if (typedDatasets.length === 1) return typedDatasets[0];
				_addIssue(this, "type", dataset, config$1, { issues: _subIssues(typedDatasets) });
				dataset.typed = true;
			} else if (untypedDatasets?.length === 1) return untypedDatasets[0];
			else _addIssue(this, "type", dataset, config$1, { issues: _subIssues(untypedDatasets) });
			return dataset;
		}
	});
}
function unknown() {
	return _standardSchema({
		kind: "schema",
		type: "unknown",
		reference: unknown,
		expects: "unknown",
		async: false,
		"~run"(dataset) {
			dataset.typed = true;
			return dataset;
		}
	});
}
function parse$1(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, getGlobalConfig(config$1));
	if (dataset.issues) throw new ValiError(dataset.issues);
	return dataset.value;
}
function pick(schema, keys) {
	const entries$1 = {};
	for (const key of keys) entries$1[key] = schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}
function pipe(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		"~run"(dataset, config$1) {
			for (const item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = false;
					break;
				}
				if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = item["~run"](dataset, config$1);
			}
			return dataset;
		}
	});
}
function safeParse(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}
// src/github/api-schemas.ts
const ChangedFile = object({
	filename: string(),
	status: string()
});
const Side$1 = object({
	ref: string(),
	sha: string(),
	label: nullish(string()),
	repo: nullish(object({ id: number() }))
});
const Pull = pipe(object({
	number: number(),
	head: Side$1,
	base: Side$1,
	merged_at: nullish(string())
}), transform(({ number, head, base, merged_at }) => {
	const isFork = head.repo?.id !== base.repo?.id;
	return {
		number,
		headSha: head.sha,
		branch: isFork ? head.label ?? `:${head.ref}` : head.ref,
		baseBranch: base.ref,
		isMerged: typeof merged_at === "string"
	};
}));
const FileContent = union([object({
	type: string(),
	encoding: optional(string()),
	content: optional(string(), "")
}), pipe(array(unknown()), transform(() => ({
	type: "directory",
	encoding: void 0,
	content: ""
})))]);
const Commit = object({ parents: array(object({ sha: string() })) });
const Comment = object({
	id: number(),
	body: nullish(string(), ""),
	user: nullish(object({ login: string() }), null)
});
const Artifacts = object({
	total_count: number(),
	artifacts: array(pipe(object({
		id: number(),
		name: string(),
		size_in_bytes: number(),
		expired: main_boolean(),
		created_at: nullish(string(), ""),
		workflow_run: nullish(object({
			id: nullish(number()),
			repository_id: nullish(number()),
			head_repository_id: nullish(number()),
			head_sha: nullish(string())
		}))
	}), transform(({ id, name, size_in_bytes, expired, created_at, workflow_run: run }) => ({
		id,
		name,
		size: size_in_bytes,
		isExpired: expired,
		createdAt: created_at,
		runId: String(run?.id ?? ""),
		headSha: run?.head_sha ?? void 0,
		isOwn: Boolean(run?.id && run.repository_id && run.repository_id === run.head_repository_id)
	}))))
});
const Viewer = object({ viewer: object({ login: string() }) });
// src/lib/format.ts
function count$1(number) {
	return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
function plural(number, noun) {
	return `${count$1(number)} ${noun}${number === 1 ? "" : "s"}`;
}
const UNITS = [
	"bytes",
	"kB",
	"MB",
	"GB",
	"TB"
];
function formatBytes(bytes) {
	let value = bytes;
	let unit = 0;
	while (unit < UNITS.length - 1 && value >= (unit === 0 ? 1e3 : 999.95)) {
		value /= 1e3;
		unit++;
	}
	return `${unit === 0 ? String(value) : value.toFixed(1).replace(/\.0$/, "")} ${value === 1 && unit === 0 ? "byte" : UNITS[unit]}`;
}
function formatList(names, max = 5) {
	const hidden = names.length - max;
	return names.slice(0, max).join(", ") + (hidden > 0 ? ` and ${count$1(hidden)} more` : "");
}
function parseJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
// src/http/error-body.ts
const MAX_SHOWN_LENGTH = 300;
const MAX_KEPT_LENGTH = 4e3;
function messageFromBody(body) {
	const trimmed = body.trim();
	if (trimmed === "") return "";
	if (/^<(!doctype|html)/i.test(trimmed)) return "a web page";
	const value = parseJson(trimmed);
	return (value === void 0 ? trimmed : textIn(value) || detailsFromBody(trimmed) || trimmed).replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, MAX_KEPT_LENGTH);
}
function shorten(text) {
	return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
const MAX_DEPTH = 5;
function textIn(value, depth = 0) {
	if (typeof value === "string") return value;
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return "";
	const inside = (part) => textIn(part, depth + 1);
	if (Array.isArray(value)) return value.slice(0, 5).map(inside).filter(Boolean).join("; ");
	const entries = new Map(Object.entries(value));
	const message = [
		"message",
		"detail",
		"error",
		"msg",
		"title",
		"errors"
	].map((key) => inside(entries.get(key))).find(Boolean) ?? "";
	const loc = entries.get("loc");
	return (Array.isArray(loc) ? `${loc.filter((part) => typeof part === "string" || typeof part === "number").join(".")}: ` : "") + message;
}
function detailsFromBody(body) {
	const value = parseJson(body);
	if (typeof value !== "object" || value === null) return "";
	const entries = new Map(Object.entries(value));
	const [code, bucket] = [entries.get("error_code"), entries.get("bucket")];
	return [...typeof code === "string" ? [`error code ${shorten(code)}`] : [], ...typeof bucket === "string" ? [`kind of request: ${shorten(bucket)}`] : []].join(", ");
}
// src/github/github-error.ts
var GitHubError = class extends Error {
	name = "GitHubError";
	trouble;
	fix;
	constructor(ask, { trouble, problem, fix, cause }) {
		super(`Could not ${ask.operation}: ${problem.replace(/\.$/, "")}.`, { cause });
		this.trouble = trouble;
		this.fix = fix;
	}
	get isOutage() {
		return this.trouble === "rate-limit" || this.trouble === "unavailable" || this.trouble === "unreadable";
	}
};
function missingTokenError(ask) {
	return new GitHubError(ask, {
		trouble: "no-token",
		problem: "the input `github-token` is empty",
		fix: `Leave \`github-token\` to its default, and give the job \`permissions: ${ask.needs}\`.`
	});
}
const Thrown = object({
	status: number(),
	response: optional(object({
		headers: optional(record(string(), unknown()), {}),
		data: unknown()
	}))
});
function describeFailure$2(error, ask, isGhes) {
	const thrown = safeParse(Thrown, error);
	const response = thrown.success ? thrown.output.response : void 0;
	if (!thrown.success || !response) return {
		error: noAnswer(ask, error),
		status: void 0,
		retryAfter: void 0
	};
	const { status } = thrown.output;
	const message = messageFromBody(typeof response.data === "string" ? response.data : JSON.stringify(response.data ?? ""));
	const problem = `GitHub answered ${status}${message && `, ${JSON.stringify(message)}`}`;
	const header = (name) => main_text(response.headers[name]);
	const [trouble, fix] = status === 429 || status === 403 && (header("x-ratelimit-remaining") === "0" || /rate limit/i.test(message)) ? RATE_LIMIT : advice({
		status,
		message,
		isGhes
	}, ask);
	return {
		error: new GitHubError(ask, {
			trouble,
			problem,
			fix,
			cause: error
		}),
		status,
		retryAfter: header("retry-after")
	};
}
const RATE_LIMIT = ["rate-limit", "The token's rate limit at GitHub is used up. Re-run the job later."];
function advice({ status, message, isGhes }, ask) {
	if (status >= 500) return ["unavailable", "Re-run the job; https://www.githubstatus.com lists outages."];
	if (status === 401) return ["bad-token", "Check `github-token`: leave it to its default, or give it a token that has not expired."];
	if (status === 403 && /not accessible by|must have .* rights/i.test(message)) return ["permission", `Give the job \`permissions: ${ask.needs}\`.`];
	if (status === 404) {
		const older = isGhes ? ", and that this version of GitHub Enterprise Server has this part of the API" : "";
		return ["not-found", `Check that \`github-token\` belongs to this repository and that the job has \`permissions: ${ask.needs}\`${older}.`];
	}
	return ["refused", `Check that the job has \`permissions: ${ask.needs}\` and what GitHub says about it.`];
}
function noAnswer(ask, error) {
	return new GitHubError(ask, {
		trouble: "unavailable",
		problem: `no answer from GitHub (${error instanceof Error ? error.message : String(error)})`,
		fix: "Re-run the job; on a self-hosted runner, check its proxy and firewall.",
		cause: error
	});
}
function unreadableAnswer(ask) {
	return new GitHubError(ask, {
		trouble: "unreadable",
		problem: "GitHub's answer is not in the documented form",
		fix: "Re-run the job; a proxy in between may have answered instead."
	});
}
function main_text(header) {
	return typeof header === "string" || typeof header === "number" ? String(header) : void 0;
}
// src/http/http.ts
const MAX_ANSWER_BYTES = 16e6;
var ConnectionError = class extends Error {
	name = "ConnectionError";
	what;
	maybeReceived;
	isLasting;
	silentMs;
	fix;
	unknownHost;
	constructor(what, facts, options) {
		super(what, options);
		this.what = what;
		this.maybeReceived = facts.maybeReceived;
		this.isLasting = facts.isLasting ?? false;
		this.silentMs = facts.silentMs;
		this.fix = facts.fix;
		this.unknownHost = facts.unknownHost;
	}
};
function isLoopback(hostname) {
	return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15e3;
function backoff(tries, random = Math.random) {
	const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
	return step / 2 + step / 2 * random();
}
const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 3600;
function retryAfterMs(header) {
	if (header === void 0 || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return void 0;
	return Math.min(MAX_RETRY_AFTER_S, Math.max(MIN_RETRY_AFTER_S, Number(header))) * 1e3;
}
// src/lib/clock.ts
async function sleep(milliseconds, signal) {
	signal.throwIfAborted();
	await new Promise((resolve, reject) => {
		const timer = setTimeout(done, milliseconds);
		function done() {
			signal.removeEventListener("abort", stop);
			resolve();
		}
		function stop() {
			clearTimeout(timer);
			reject(signal.reason);
		}
		signal.addEventListener("abort", stop, { once: true });
	});
}
function abortedLater(signal, milliseconds) {
	const later = new AbortController();
	const abort = () => void setTimeout(() => later.abort(signal.reason), milliseconds);
	if (signal.aborted) abort();
	else signal.addEventListener("abort", abort, { once: true });
	return later.signal;
}
// src/github/octokit.ts
const TRIES$1 = 3;
const ONE_TRY_MS = 2e4;
const MAX_WAIT_MS = 1e4;
const SILENT = {
	debug: () => {},
	info: () => {},
	warn: () => {},
	error: () => {}
};
function connect({ token, apiUrl, isGhes, signal, pause = backoff }) {
	let loading;
	const load = async () => {
		return (await Promise.all(/* import() */[__nccwpck_require__.e(739), __nccwpck_require__.e(564)]).then(__nccwpck_require__.bind(__nccwpck_require__, 564)).then((n) => n.n)).getOctokit(token, {
			baseUrl: apiUrl,
			log: SILENT
		});
	};
	return async (ask, request) => {
		if (token === "") throw missingTokenError(ask);
		for (let attempt = 1;; attempt++) {
			signal.throwIfAborted();
			try {
				loading ??= load();
				const limit = AbortSignal.any([signal, AbortSignal.timeout(ONE_TRY_MS)]);
				return await request(await loading, {
					signal: limit,
					log: SILENT
				});
			} catch (error) {
				signal.throwIfAborted();
				const failure = describeFailure$2(error, ask, isGhes);
				const wait = attempt < TRIES$1 ? waitBeforeNext(failure, ask, pause(attempt)) : void 0;
				if (wait === void 0) throw failure.error;
				await sleep(wait, signal);
			}
		}
	};
}
function waitBeforeNext({ error, retryAfter }, ask, pause) {
	if (error.trouble === "rate-limit") {
		const wait = retryAfterMs(retryAfter);
		return wait !== void 0 && wait <= MAX_WAIT_MS ? wait : void 0;
	}
	return error.trouble === "unavailable" && ask.isRepeatable ? pause : void 0;
}
// src/github/api.ts
const MAX_CHANGED_FILES = 3e3;
const MAX_COMMENTS = 3e3;
const PAGE = 100;
function createGitHubApi(options) {
	const send = connect(options);
	const [owner = "", repo = ""] = options.repository.split("/");
	const call = async (ask, route, parameters) => await send(ask, async (octokit, request) => await octokit.request(route, {
		owner,
		repo,
		...parameters,
		request
	}));
	const get = async (ask, answer, { route, ...parameters }) => {
		const { data } = await call(ask, `GET /repos/{owner}/{repo}/${route}`, parameters);
		return read(answer, data, ask);
	};
	const pages = async (ask, { item, max }, { route, ...parameters }) => {
		const all = [];
		for (let page = 1; all.length < max; page++) {
			const target = {
				...parameters,
				per_page: PAGE,
				page
			};
			const { data, headers } = await call(ask, `GET /repos/{owner}/{repo}/${route}`, target);
			const items = read(array(item), data, ask);
			all.push(...items);
			if (items.length === 0 || !headers.link?.includes("rel=\"next\"")) break;
		}
		return all.slice(0, max);
	};
	return {
		pullRequestFiles: async (number) => await pages(reading("list the changed files", "pull-requests"), {
			item: ChangedFile,
			max: MAX_CHANGED_FILES
		}, {
			route: "pulls/{number}/files",
			number
		}),
		pullRequest: async (number) => await get(reading("read the pull request", "pull-requests"), Pull, {
			route: "pulls/{number}",
			number
		}),
		pullRequestsOf: async (commit) => await get(reading("find the pull request of a commit", "pull-requests"), array(Pull), {
			route: "commits/{commit}/pulls",
			commit
		}),
		textAt: async (path, commit) => {
			const ask = reading(`read ${JSON.stringify(path)} at ${commit.slice(0, 7)}`, "contents");
			try {
				return textOf(await get(ask, FileContent, {
					route: "contents/{path}",
					path,
					ref: commit
				}), ask);
			} catch (error) {
				if (error instanceof GitHubError && error.trouble === "not-found") return void 0;
				throw error;
			}
		},
		parentsOf: async (commit) => {
			const ask = reading(`read the commit ${commit.slice(0, 7)}`, "contents");
			const { parents } = await get(ask, Commit, {
				route: "git/commits/{commit}",
				commit
			});
			return parents.map(({ sha }) => sha);
		},
		comments: async (number) => await pages({
			operation: "list the comments",
			needs: "pull-requests: write",
			isRepeatable: true
		}, {
			item: Comment,
			max: MAX_COMMENTS
		}, {
			route: "issues/{number}/comments",
			number
		}),
		createComment: async (number, body) => {
			await call({
				operation: "write the comment",
				needs: "pull-requests: write",
				isRepeatable: false
			}, "POST /repos/{owner}/{repo}/issues/{number}/comments", {
				number,
				body
			});
		},
		updateComment: async (id, body) => {
			await call({
				operation: "update the comment",
				needs: "pull-requests: write",
				isRepeatable: true
			}, "PATCH /repos/{owner}/{repo}/issues/comments/{id}", {
				id,
				body
			});
		},
		ownLogin: async () => {
			const ask = reading("find out whose token this is", "pull-requests");
			const answer = await send(ask, async (octokit, request) => await octokit.graphql("query { viewer { login } }", { request }));
			return read(Viewer, answer, ask).viewer.login;
		},
		artifacts: async (name) => {
			const ask = reading("list the artifacts", "actions");
			const readPage = async (page) => await get(ask, Artifacts, {
				route: "actions/artifacts",
				name,
				per_page: PAGE,
				page
			});
			const { artifacts: first, total_count: total } = await readPage(1);
			const order = orderOf(first);
			const all = [...first];
			let isFound = order === "newest first" && first.some(isUsable);
			for (const page of laterPages(order, Math.ceil(total / PAGE))) {
				if (isFound) break;
				const { artifacts } = await readPage(page);
				all.push(...artifacts);
				isFound = order !== "unordered" && artifacts.some(isUsable);
			}
			return all.filter(({ isOwn }) => isOwn);
		},
		artifactArchive: async (id) => {
			const ask = reading("download an artifact", "actions");
			const route = "GET /repos/{owner}/{repo}/actions/artifacts/{id}/zip";
			const data = await send(ask, async (octokit, request) => {
				const answer = await octokit.request(route, {
					owner,
					repo,
					id,
					request
				});
				if (answer.data instanceof ArrayBuffer && answer.data.byteLength === 0) throw new Error("the answer broke off");
				return answer.data;
			});
			return new Uint8Array(read(instance(ArrayBuffer), data, ask));
		}
	};
}
function orderOf(page) {
	const times = page.map(({ createdAt }) => createdAt);
	if (times.every((time, at) => at === 0 || time <= (times[at - 1] ?? ""))) return "newest first";
	return times.every((time, at) => at === 0 || time >= (times[at - 1] ?? "")) ? "oldest first" : "unordered";
}
function laterPages(order, last) {
	const pages = Array.from({ length: Math.max(0, last - 1) }, (_, index) => index + 2);
	return (order === "oldest first" ? pages.toReversed() : pages).slice(0, 9);
}
function isUsable({ isOwn, isExpired }) {
	return isOwn && !isExpired;
}
function reading(operation, permission) {
	return {
		operation,
		needs: `${permission}: read`,
		isRepeatable: true
	};
}
function textOf({ type, encoding, content }, ask) {
	if (type === "file" && encoding === "base64") return Buffer.from(content, "base64").toString("utf8");
	throw new GitHubError(ask, {
		trouble: "refused",
		problem: type === "file" ? "it is larger than 1 MB" : `it is a ${type}`,
		fix: "Name a text file of less than 1 MB."
	});
}
function read(schema, data, ask) {
	const parsed = safeParse(schema, data);
	if (!parsed.success) throw unreadableAnswer(ask);
	return parsed.output;
}
// src/github/context.ts
function lenient(schema) {
	return fallback(optional(schema), void 0);
}
const Repository = object({
	id: number(),
	private: lenient(main_boolean()),
	visibility: lenient(string()),
	default_branch: lenient(string())
});
const Side = object({
	ref: string(),
	sha: string(),
	label: lenient(string()),
	repo: lenient(nullable(object({ id: number() })))
});
const PullRequest = object({
	number: number(),
	head: Side,
	base: Side,
	user: lenient(nullable(object({ login: string() })))
});
const MergeGroup = object({
	head_ref: string(),
	base_ref: string(),
	base_sha: string()
});
const WorkflowRun = object({
	event: string(),
	head_branch: lenient(nullable(string())),
	head_sha: string(),
	head_repository: lenient(nullable(object({
		id: number(),
		owner: lenient(nullable(object({ login: string() })))
	}))),
	pull_requests: fallback(array(PullRequest), [])
});
const EventPayload = object({
	repository: lenient(Repository),
	pull_request: lenient(PullRequest),
	merge_group: lenient(MergeGroup),
	workflow_run: lenient(WorkflowRun)
});
function readEvent(path) {
	if (!path) return {};
	try {
		const parsed = safeParse(EventPayload, JSON.parse((0,external_node_fs_.readFileSync)(path, "utf8")));
		return parsed.success ? parsed.output : {};
	} catch {
		return {};
	}
}
function readContext(env) {
	const payload = readEvent(env["GITHUB_EVENT_PATH"]);
	const serverUrl = env["GITHUB_SERVER_URL"] || "https://github.com";
	const repository = env["GITHUB_REPOSITORY"] ?? "";
	const runId = env["GITHUB_RUN_ID"] ?? "";
	const commit = env["GITHUB_SHA"] ?? "";
	const ref = env["GITHUB_REF"] ?? "";
	return {
		repository,
		repositoryId: env["GITHUB_REPOSITORY_ID"] ?? String(payload.repository?.id ?? ""),
		isPublic: payload.repository?.visibility === "public" || payload.repository?.private === false,
		commit,
		ref,
		event: env["GITHUB_EVENT_NAME"] ?? "",
		runId,
		runAttempt: Math.max(1, Number.parseInt(env["GITHUB_RUN_ATTEMPT"] ?? "", 10) || 1),
		runUrl: repository && runId ? `${serverUrl}/${repository}/actions/runs/${runId}` : "",
		workflow: workflowPath(env["GITHUB_WORKFLOW_REF"] ?? "", repository) ?? env["GITHUB_WORKFLOW"] ?? "",
		job: env["GITHUB_JOB"] ?? "",
		step: env["GITHUB_ACTION"] ?? "",
		...changes(payload, commit, ref),
		defaultBranch: payload.repository?.default_branch,
		serverUrl,
		apiUrl: env["GITHUB_API_URL"] || "https://api.github.com",
		docsUrl: docsUrl(env, serverUrl),
		isGhes: isGhes(serverUrl),
		workspace: env["GITHUB_WORKSPACE"] ?? process.cwd(),
		temp: env["RUNNER_TEMP"] ?? "",
		actor: env["GITHUB_ACTOR"] ?? ""
	};
}
function changes(payload, commit, ref) {
	const none = {
		baseBranch: void 0,
		baseCommit: void 0,
		pullRequest: void 0,
		queuedPullRequest: void 0,
		followedEvent: void 0
	};
	const { pull_request: pull, merge_group: group, workflow_run: run, repository } = payload;
	if (pull) {
		const isFork = isOtherRepository(pull.head.repo?.id, pull.base.repo?.id ?? repository?.id);
		return {
			...none,
			branch: isFork ? pull.head.label ?? `${pull.user?.login ?? ""}:${pull.head.ref}` : pull.head.ref,
			baseBranch: pull.base.ref,
			baseCommit: pull.base.sha,
			pullRequest: {
				number: pull.number,
				headSha: pull.head.sha,
				isFork,
				isDependabot: pull.user?.login === "dependabot[bot]"
			}
		};
	}
	if (group) {
		const number = /\/pr-(\d+)-[0-9a-f]+$/.exec(group.head_ref)?.[1];
		return {
			...none,
			branch: branchOf(group.head_ref),
			baseBranch: branchOf(group.base_ref),
			baseCommit: group.base_sha,
			queuedPullRequest: number === void 0 ? void 0 : Number(number)
		};
	}
	if (run) return {
		...none,
		...followedChanges(run, repository?.id, {
			commit,
			ref
		})
	};
	return {
		...none,
		branch: branchOf(ref)
	};
}
function followedChanges(run, repositoryId, { commit, ref }) {
	const head = run.head_repository;
	const isFork = isOtherRepository(head?.id, repositoryId);
	const followedEvent = run.event;
	const name = run.head_branch ?? branchOf(ref);
	const branch = isFork ? `${head?.owner?.login ?? ""}:${name}` : name;
	if (!run.event.startsWith("pull_request")) return {
		branch,
		followedEvent
	};
	const ours = run.pull_requests.filter(({ base }) => base.repo?.id === repositoryId);
	const pull = ours.find(({ head: { sha } }) => sha === run.head_sha) ?? ours[0];
	return {
		branch,
		followedEvent,
		baseBranch: pull?.base.ref,
		baseCommit: pull?.base.sha ?? commit,
		pullRequest: {
			number: pull?.number,
			headSha: run.head_sha,
			isFork,
			isDependabot: false
		}
	};
}
function isOtherRepository(headId, baseId) {
	return headId === void 0 || headId !== baseId;
}
function branchOf(ref) {
	return ref.replace(/^refs\/heads\//, "");
}
function workflowPath(ref, repository) {
	const [, home = "", path = ""] = /^([^/]+\/[^/]+)\/(.+?\.ya?ml)@/.exec(ref) ?? [];
	if (path === "") return void 0;
	return home.toLowerCase() === repository.toLowerCase() ? path : `${home}/${path}`;
}
function isGhes(serverUrl) {
	const host = URL.parse(serverUrl)?.hostname ?? "github.com";
	return host !== "github.com" && !host.endsWith(".ghe.com") && !host.endsWith(".localhost");
}
function docsUrl(env, serverUrl) {
	const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = env;
	if (!repository || !ref || isGhes(serverUrl)) return void 0;
	return `${serverUrl}/${repository}/blob/${ref}/docs`;
}
// node_modules/balanced-match/dist/esm/index.js
const balanced = (a, b, str) => {
	const ma = a instanceof RegExp ? maybeMatch(a, str) : a;
	const mb = b instanceof RegExp ? maybeMatch(b, str) : b;
	const r = ma !== null && mb != null && range(ma, mb, str);
	return r && {
		start: r[0],
		end: r[1],
		pre: str.slice(0, r[0]),
		body: str.slice(r[0] + ma.length, r[1]),
		post: str.slice(r[1] + mb.length)
	};
};
const maybeMatch = (reg, str) => {
	const m = str.match(reg);
	return m ? m[0] : null;
};
const range = (a, b, str) => {
	let begs, beg, left, right = void 0, result;
	let ai = str.indexOf(a);
	let bi = str.indexOf(b, ai + 1);
	let i = ai;
	if (ai >= 0 && bi > 0) {
		if (a === b) return [ai, bi];
		begs = [];
		left = str.length;
		while (i >= 0 && !result) {
			if (i === ai) {
				begs.push(i);
				ai = str.indexOf(a, i + 1);
			} else if (begs.length === 1) {
				const r = begs.pop();
				if (r !== void 0) result = [r, bi];
			} else {
				beg = begs.pop();
				if (beg !== void 0 && beg < left) {
					left = beg;
					right = bi;
				}
				bi = str.indexOf(b, i + 1);
			}
			i = ai < bi && ai >= 0 ? ai : bi;
		}
		if (begs.length && right !== void 0) result = [left, right];
	}
	return result;
};
// node_modules/brace-expansion/dist/esm/index.js
const escSlash = "\0SLASH" + Math.random() + "\0";
const escOpen = "\0OPEN" + Math.random() + "\0";
const escClose = "\0CLOSE" + Math.random() + "\0";
const escComma = "\0COMMA" + Math.random() + "\0";
const escPeriod = "\0PERIOD" + Math.random() + "\0";
const escSlashPattern = new RegExp(escSlash, "g");
const escOpenPattern = new RegExp(escOpen, "g");
const escClosePattern = new RegExp(escClose, "g");
const escCommaPattern = new RegExp(escComma, "g");
const escPeriodPattern = new RegExp(escPeriod, "g");
const slashPattern = /\\\\/g;
const openPattern = /\\{/g;
const closePattern = /\\}/g;
const commaPattern = /\\,/g;
const periodPattern = /\\\./g;
const EXPANSION_MAX = 1e5;
const EXPANSION_MAX_LENGTH = 4e6;
const EXPANSION_MAX_DEPTH = 1e3;
const EXPANSION_MAX_REWRITES = 1e3;
function numeric(str) {
	return !isNaN(str) ? parseInt(str, 10) : str.charCodeAt(0);
}
function escapeBraces(str) {
	return str.replace(slashPattern, escSlash).replace(openPattern, escOpen).replace(closePattern, escClose).replace(commaPattern, escComma).replace(periodPattern, escPeriod);
}
function unescapeBraces(str) {
	return str.replace(escSlashPattern, "\\").replace(escOpenPattern, "{").replace(escClosePattern, "}").replace(escCommaPattern, ",").replace(escPeriodPattern, ".");
}
function pushAll(target, items) {
	for (let i = 0; i < items.length; i++) target.push(items[i]);
}
function parseCommaParts(str) {
	const parts = [];
	let carry = "";
	for (;;) {
		const m = balanced("{", "}", str);
		if (!m) {
			const tail = str.split(",");
			tail[0] = carry + tail[0];
			pushAll(parts, tail);
			return parts;
		}
		const { pre, body, post } = m;
		const p = pre.split(",");
		p[0] = carry + p[0];
		p[p.length - 1] += "{" + body + "}";
		if (!post.length) {
			pushAll(parts, p);
			return parts;
		}
		carry = p.pop();
		pushAll(parts, p);
		str = post;
	}
}
function expand(str, options = {}) {
	if (!str) return [];
	const { max = EXPANSION_MAX, maxLength = EXPANSION_MAX_LENGTH, maxDepth = EXPANSION_MAX_DEPTH, maxRewrites = EXPANSION_MAX_REWRITES } = options;
	if (str.slice(0, 2) === "{}") str = "\\{\\}" + str.slice(2);
	return expand_(escapeBraces(str), max, maxLength, maxDepth, 0, maxRewrites, true).map(unescapeBraces);
}
function embrace(str) {
	return "{" + str + "}";
}
function isPadded(el) {
	return /^-?0\d/.test(el);
}
function lte(i, y) {
	return i <= y;
}
function gte(i, y) {
	return i >= y;
}
function combine(acc, pre, values, max, maxLength, dropEmpties) {
	const out = [];
	let length = 0;
	for (let a = 0; a < acc.length; a++) for (let v = 0; v < values.length; v++) {
		if (out.length >= max) return out;
		const expansion = acc[a] + pre + values[v];
		if (dropEmpties && !expansion) continue;
		if (length + expansion.length > maxLength) return out;
		out.push(expansion);
		length += expansion.length;
	}
	return out;
}
function expandSequence(body, isAlphaSequence, max, maxLength) {
	const n = body.split(/\.\./);
	const N = [];
	if (n[0] === void 0 || n[1] === void 0) return N;
	const x = numeric(n[0]);
	const y = numeric(n[1]);
	const width = Math.max(n[0].length, n[1].length);
	let incr = n.length === 3 && n[2] !== void 0 ? Math.max(Math.abs(numeric(n[2])), 1) : 1;
	let test = lte;
	if (y < x) {
		incr *= -1;
		test = gte;
	}
	const pad = n.some(isPadded);
	let length = 0;
	for (let i = x; test(i, y) && N.length < max; i += incr) {
		let c;
		if (isAlphaSequence) {
			c = String.fromCharCode(i);
			if (c === "\\") c = "";
		} else {
			c = String(i);
			if (pad) {
				const need = width - c.length;
				if (need > 0) {
					const z = new Array(need + 1).join("0");
					if (i < 0) c = "-" + z + c.slice(1);
					else c = z + c;
				}
			}
		}
		if (length + c.length > maxLength) break;
		N.push(c);
		length += c.length;
	}
	return N;
}
function expand_(str, max, maxLength, maxDepth, depth, maxRewrites, isTop) {
	if (depth > maxDepth) return [str];
	let acc = [""];
	let rewrites = 0;
	let dropEmpties = false;
	let firstGroup = true;
	for (;;) {
		const m = balanced("{", "}", str);
		if (!m) return combine(acc, str, [""], max, maxLength, dropEmpties);
		const pre = m.pre;
		if (/\$$/.test(pre)) {
			acc = combine(acc, pre + "{" + m.body + "}", [""], max, maxLength, dropEmpties && !m.post.length);
			firstGroup = false;
			if (!m.post.length) break;
			str = m.post;
			continue;
		}
		const isNumericSequence = /^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/.test(m.body);
		const isAlphaSequence = /^[a-zA-Z]\.\.[a-zA-Z](?:\.\.-?\d+)?$/.test(m.body);
		const isSequence = isNumericSequence || isAlphaSequence;
		const isOptions = m.body.indexOf(",") >= 0;
		if (!isSequence && !isOptions) {
			if (rewrites < maxRewrites && m.post.match(/,(?!,).*\}/)) {
				rewrites++;
				str = m.pre + "{" + m.body + escClose + m.post;
				isTop = true;
				continue;
			}
			return combine(acc, pre + "{" + m.body + "}" + m.post, [""], max, maxLength, dropEmpties);
		}
		if (firstGroup) {
			dropEmpties = isTop && !isSequence;
			firstGroup = false;
		}
		let values;
		if (isSequence) values = expandSequence(m.body, isAlphaSequence, max, maxLength);
		else {
			let n = parseCommaParts(m.body);
			if (n.length === 1 && n[0] !== void 0) {
				n = expand_(n[0], max, maxLength, maxDepth, depth + 1, maxRewrites, false).map(embrace);
				if (n.length === 1) {
					acc = combine(acc, pre + n[0], [""], max, maxLength, dropEmpties && !m.post.length);
					if (!m.post.length) break;
					str = m.post;
					continue;
				}
			}
			let dropsEmpties = dropEmpties && !m.post.length && !pre;
			for (let d = 0; dropsEmpties && d < acc.length; d++) if (acc[d]) dropsEmpties = false;
			values = [];
			let valuesLength = 0;
			outer: for (let j = 0; j < n.length; j++) {
				const expanded = expand_(n[j], max, maxLength, maxDepth, depth + 1, maxRewrites, false);
				for (let k = 0; k < expanded.length; k++) {
					const v = expanded[k];
					if (dropsEmpties && !v) continue;
					if (values.length >= max || valuesLength + v.length > maxLength) break outer;
					values.push(v);
					valuesLength += v.length;
				}
			}
		}
		acc = combine(acc, pre, values, max, maxLength, dropEmpties && !m.post.length);
		if (!m.post.length) break;
		str = m.post;
	}
	return acc;
}
// node_modules/minimatch/dist/esm/assert-valid-pattern.js
const MAX_PATTERN_LENGTH$1 = 65536;
const assertValidPattern = (pattern) => {
	if (typeof pattern !== "string") throw new TypeError("invalid pattern");
	if (pattern.length > MAX_PATTERN_LENGTH$1) throw new TypeError("pattern is too long");
};
// node_modules/minimatch/dist/esm/brace-expressions.js
const posixClasses = {
	"[:alnum:]": ["\\p{L}\\p{Nl}\\p{Nd}", true],
	"[:alpha:]": ["\\p{L}\\p{Nl}", true],
	"[:ascii:]": ["\\x00-\\x7f", false],
	"[:blank:]": ["\\p{Zs}\\t", true],
	"[:cntrl:]": ["\\p{Cc}", true],
	"[:digit:]": ["\\p{Nd}", true],
	"[:graph:]": [
		"\\p{Z}\\p{C}",
		true,
		true
	],
	"[:lower:]": ["\\p{Ll}", true],
	"[:print:]": ["\\p{C}", true],
	"[:punct:]": ["\\p{P}", true],
	"[:space:]": ["\\p{Z}\\t\\r\\n\\v\\f", true],
	"[:upper:]": ["\\p{Lu}", true],
	"[:word:]": ["\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}", true],
	"[:xdigit:]": ["A-Fa-f0-9", false]
};
const braceEscape = (s) => s.replace(/[[\]\\-]/g, "\\$&");
const regexpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, "\\$&");
const rangesToString = (ranges) => ranges.join("");
const parseClass$1 = (glob, position) => {
	const pos = position;
	if (glob.charAt(pos) !== "[") throw new Error("not in a brace expression");
	const ranges = [];
	const negs = [];
	let i = pos + 1;
	let sawStart = false;
	let uflag = false;
	let escaping = false;
	let negate = false;
	let endPos = pos;
	let rangeStart = "";
	WHILE: while (i < glob.length) {
		const c = glob.charAt(i);
		if ((c === "!" || c === "^") && i === pos + 1) {
			negate = true;
			i++;
			continue;
		}
		if (c === "]" && sawStart && !escaping) {
			endPos = i + 1;
			break;
		}
		sawStart = true;
		if (c === "\\") {
			if (!escaping) {
				escaping = true;
				i++;
				continue;
			}
		}
		if (c === "[" && !escaping) {
			for (const [cls, [unip, u, neg]] of Object.entries(posixClasses)) if (glob.startsWith(cls, i)) {
				if (rangeStart) return [
					"$.",
					false,
					glob.length - pos,
					true
				];
				i += cls.length;
				if (neg) negs.push(unip);
				else ranges.push(unip);
				uflag = uflag || u;
				continue WHILE;
			}
		}
		escaping = false;
		if (rangeStart) {
			if (c > rangeStart) ranges.push(braceEscape(rangeStart) + "-" + braceEscape(c));
			else if (c === rangeStart) ranges.push(braceEscape(c));
			rangeStart = "";
			i++;
			continue;
		}
		if (glob.startsWith("-]", i + 1)) {
			ranges.push(braceEscape(c + "-"));
			i += 2;
			continue;
		}
		if (glob.startsWith("-", i + 1)) {
			rangeStart = c;
			i += 2;
			continue;
		}
		ranges.push(braceEscape(c));
		i++;
	}
	if (endPos < i) return [
		"",
		false,
		0,
		false
	];
	if (!ranges.length && !negs.length) return [
		"$.",
		false,
		glob.length - pos,
		true
	];
	if (negs.length === 0 && ranges.length === 1 && /^\\?.$/.test(ranges[0]) && !negate) {
		const r = ranges[0].length === 2 ? ranges[0].slice(-1) : ranges[0];
		return [
			regexpEscape(r),
			false,
			endPos - pos,
			false
		];
	}
	const sranges = "[" + (negate ? "^" : "") + rangesToString(ranges) + "]";
	const snegs = "[" + (negate ? "" : "^") + rangesToString(negs) + "]";
	return [
		ranges.length && negs.length ? "(" + sranges + "|" + snegs + ")" : ranges.length ? sranges : snegs,
		uflag,
		endPos - pos,
		true
	];
};
// node_modules/minimatch/dist/esm/unescape.js
const main_unescape = (s, { windowsPathsNoEscape = false, magicalBraces = true } = {}) => {
	if (magicalBraces) return windowsPathsNoEscape ? s.replace(/\[([^/\\])\]/g, "$1") : s.replace(/((?!\\).|^)\[([^/\\])\]/g, "$1$2").replace(/\\([^/])/g, "$1");
	return windowsPathsNoEscape ? s.replace(/\[([^/\\{}])\]/g, "$1") : s.replace(/((?!\\).|^)\[([^/\\{}])\]/g, "$1$2").replace(/\\([^/{}])/g, "$1");
};
// node_modules/minimatch/dist/esm/ast.js
var _a;
const types = new Set([
	"!",
	"?",
	"+",
	"*",
	"@"
]);
const isExtglobType = (c) => types.has(c);
const isExtglobAST = (c) => isExtglobType(c.type);
const adoptionMap = new Map([
	["!", ["@"]],
	["?", ["?", "@"]],
	["@", ["@"]],
	["*", [
		"*",
		"+",
		"?",
		"@"
	]],
	["+", ["+", "@"]]
]);
const adoptionWithSpaceMap = new Map([
	["!", ["?"]],
	["@", ["?"]],
	["+", ["?", "*"]]
]);
const adoptionAnyMap = new Map([
	["!", ["?", "@"]],
	["?", ["?", "@"]],
	["@", ["?", "@"]],
	["*", [
		"*",
		"+",
		"?",
		"@"
	]],
	["+", [
		"+",
		"@",
		"?",
		"*"
	]]
]);
const usurpMap = new Map([
	["!", new Map([["!", "@"]])],
	["?", new Map([["*", "*"], ["+", "*"]])],
	["@", new Map([
		["!", "!"],
		["?", "?"],
		["@", "@"],
		["*", "*"],
		["+", "+"]
	])],
	["+", new Map([["?", "*"], ["*", "*"]])]
]);
const startNoTraversal = "(?!(?:^|/)\\.\\.?(?:$|/))";
const startNoDot = "(?!\\.)";
const addPatternStart = new Set(["[", "."]);
const justDots = new Set(["..", "."]);
const reSpecials = new Set("().*{}+?[]^$\\!");
const regExpEscape$1 = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, "\\$&");
const qmark = "[^/]";
const star$1 = "[^/]*?";
const starNoEmpty = "[^/]+?";
let ID = 0;
var AST = class {
	type;
	#root;
	#hasMagic;
	#uflag = false;
	#parts = [];
	#parent;
	#parentIndex;
	#negs;
	#filledNegs = false;
	#options;
	#toString;
	#emptyExt = false;
	id = ++ID;
	get depth() {
		return (this.#parent?.depth ?? -1) + 1;
	}
	[Symbol.for("nodejs.util.inspect.custom")]() {
		return {
			"@@type": "AST",
			id: this.id,
			type: this.type,
			root: this.#root.id,
			parent: this.#parent?.id,
			depth: this.depth,
			partsLength: this.#parts.length,
			parts: this.#parts
		};
	}
	constructor(type, parent, options = {}) {
		this.type = type;
		if (type) this.#hasMagic = true;
		this.#parent = parent;
		this.#root = this.#parent ? this.#parent.#root : this;
		this.#options = this.#root === this ? options : this.#root.#options;
		this.#negs = this.#root === this ? [] : this.#root.#negs;
		if (type === "!" && !this.#root.#filledNegs) this.#negs.push(this);
		this.#parentIndex = this.#parent ? this.#parent.#parts.length : 0;
	}
	get hasMagic() {
		if (this.#hasMagic !== void 0) return this.#hasMagic;
		for (const p of this.#parts) {
			if (typeof p === "string") continue;
			if (p.type || p.hasMagic) return this.#hasMagic = true;
		}
		return this.#hasMagic;
	}
	toString() {
		return this.#toString !== void 0 ? this.#toString : !this.type ? this.#toString = this.#parts.map((p) => String(p)).join("") : this.#toString = this.type + "(" + this.#parts.map((p) => String(p)).join("|") + ")";
	}
	#fillNegs() {
		if (this !== this.#root) throw new Error("should only call on root");
		if (this.#filledNegs) return this;
		this.toString();
		this.#filledNegs = true;
		let n;
		while (n = this.#negs.pop()) {
			if (n.type !== "!") continue;
			let p = n;
			let pp = p.#parent;
			while (pp) {
				for (let i = p.#parentIndex + 1; !pp.type && i < pp.#parts.length; i++) for (const part of n.#parts) {
					if (typeof part === "string") throw new Error("string part in extglob AST??");
					part.copyIn(pp.#parts[i]);
				}
				p = pp;
				pp = p.#parent;
			}
		}
		return this;
	}
	push(...parts) {
		for (const p of parts) {
			if (p === "") continue;
			if (typeof p !== "string" && !(p instanceof _a && p.#parent === this)) throw new Error("invalid part: " + p);
			this.#parts.push(p);
		}
	}
	toJSON() {
		const ret = this.type === null ? this.#parts.slice().map((p) => typeof p === "string" ? p : p.toJSON()) : [this.type, ...this.#parts.map((p) => p.toJSON())];
		if (this.isStart() && !this.type) ret.unshift([]);
		if (this.isEnd() && (this === this.#root || this.#root.#filledNegs && this.#parent?.type === "!")) ret.push({});
		return ret;
	}
	isStart() {
		if (this.#root === this) return true;
		if (!this.#parent?.isStart()) return false;
		if (this.#parentIndex === 0) return true;
		const p = this.#parent;
		for (let i = 0; i < this.#parentIndex; i++) {
			const pp = p.#parts[i];
			if (!(pp instanceof _a && pp.type === "!")) return false;
		}
		return true;
	}
	isEnd() {
		if (this.#root === this) return true;
		if (this.#parent?.type === "!") return true;
		if (!this.#parent?.isEnd()) return false;
		if (!this.type) return this.#parent?.isEnd();
		const pl = this.#parent ? this.#parent.#parts.length : 0;
		return this.#parentIndex === pl - 1;
	}
	copyIn(part) {
		if (typeof part === "string") this.push(part);
		else this.push(part.clone(this));
	}
	clone(parent) {
		const c = new _a(this.type, parent);
		for (const p of this.#parts) c.copyIn(p);
		return c;
	}
	static #parseAST(str, ast, pos, opt, extDepth) {
		const maxDepth = opt.maxExtglobRecursion ?? 2;
		let escaping = false;
		let inBrace = false;
		let braceStart = -1;
		let braceNeg = false;
		if (ast.type === null) {
			let i = pos;
			let acc = "";
			while (i < str.length) {
				const c = str.charAt(i++);
				if (escaping || c === "\\") {
					escaping = !escaping;
					acc += c;
					continue;
				}
				if (inBrace) {
					if (i === braceStart + 1) {
						if (c === "^" || c === "!") braceNeg = true;
					} else if (c === "]" && !(i === braceStart + 2 && braceNeg)) inBrace = false;
					acc += c;
					continue;
				} else if (c === "[") {
					inBrace = true;
					braceStart = i;
					braceNeg = false;
					acc += c;
					continue;
				}
				if (!opt.noext && isExtglobType(c) && str.charAt(i) === "(" && extDepth <= maxDepth) {
					ast.push(acc);
					acc = "";
					const ext = new _a(c, ast);
					i = _a.#parseAST(str, ext, i, opt, extDepth + 1);
					ast.push(ext);
					continue;
				}
				acc += c;
			}
			ast.push(acc);
			return i;
		}
		let i = pos + 1;
		let part = new _a(null, ast);
		const parts = [];
		let acc = "";
		while (i < str.length) {
			const c = str.charAt(i++);
			if (escaping || c === "\\") {
				escaping = !escaping;
				acc += c;
				continue;
			}
			if (inBrace) {
				if (i === braceStart + 1) {
					if (c === "^" || c === "!") braceNeg = true;
				} else if (c === "]" && !(i === braceStart + 2 && braceNeg)) inBrace = false;
				acc += c;
				continue;
			} else if (c === "[") {
				inBrace = true;
				braceStart = i;
				braceNeg = false;
				acc += c;
				continue;
			}
			if (!opt.noext && isExtglobType(c) && str.charAt(i) === "(" && (extDepth <= maxDepth || ast && ast.#canAdoptType(c))) {
				const depthAdd = ast && ast.#canAdoptType(c) ? 0 : 1;
				part.push(acc);
				acc = "";
				const ext = new _a(c, part);
				part.push(ext);
				i = _a.#parseAST(str, ext, i, opt, extDepth + depthAdd);
				continue;
			}
			if (c === "|") {
				part.push(acc);
				acc = "";
				parts.push(part);
				part = new _a(null, ast);
				continue;
			}
			if (c === ")") {
				if (acc === "" && ast.#parts.length === 0) ast.#emptyExt = true;
				part.push(acc);
				acc = "";
				ast.push(...parts, part);
				return i;
			}
			acc += c;
		}
		ast.type = null;
		ast.#hasMagic = void 0;
		ast.#parts = [str.substring(pos - 1)];
		return i;
	}
	#canAdoptWithSpace(child) {
		return this.#canAdopt(child, adoptionWithSpaceMap);
	}
	#canAdopt(child, map = adoptionMap) {
		if (!child || typeof child !== "object" || child.type !== null || child.#parts.length !== 1 || this.type === null) return false;
		const gc = child.#parts[0];
		if (!gc || typeof gc !== "object" || gc.type === null) return false;
		return this.#canAdoptType(gc.type, map);
	}
	#canAdoptType(c, map = adoptionAnyMap) {
		return !!map.get(this.type)?.includes(c);
	}
	#adoptWithSpace(child, index) {
		const gc = child.#parts[0];
		const blank = new _a(null, gc, this.options);
		blank.#parts.push("");
		gc.push(blank);
		this.#adopt(child, index);
	}
	#adopt(child, index) {
		const gc = child.#parts[0];
		this.#parts.splice(index, 1, ...gc.#parts);
		for (const p of gc.#parts) if (typeof p === "object") p.#parent = this;
		this.#toString = void 0;
	}
	#canUsurpType(c) {
		return !!usurpMap.get(this.type)?.has(c);
	}
	#canUsurp(child) {
		if (!child || typeof child !== "object" || child.type !== null || child.#parts.length !== 1 || this.type === null || this.#parts.length !== 1) return false;
		const gc = child.#parts[0];
		if (!gc || typeof gc !== "object" || gc.type === null) return false;
		return this.#canUsurpType(gc.type);
	}
	#usurp(child) {
		const m = usurpMap.get(this.type);
		const gc = child.#parts[0];
		const nt = m?.get(gc.type);
		if (!nt) return false;
		this.#parts = gc.#parts;
		for (const p of this.#parts) if (typeof p === "object") p.#parent = this;
		this.type = nt;
		this.#toString = void 0;
		this.#emptyExt = false;
	}
	static fromGlob(pattern, options = {}) {
		const ast = new _a(null, void 0, options);
		_a.#parseAST(pattern, ast, 0, options, 0);
		return ast;
	}
	toMMPattern() {
		if (this !== this.#root) return this.#root.toMMPattern();
		const glob = this.toString();
		const [re, body, hasMagic, uflag] = this.toRegExpSource();
		if (!(hasMagic || this.#hasMagic || this.#options.nocase && !this.#options.nocaseMagicOnly && glob.toUpperCase() !== glob.toLowerCase())) return body;
		const flags = (this.#options.nocase ? "i" : "") + (uflag ? "u" : "");
		return Object.assign(new RegExp(`^${re}$`, flags), {
			_src: re,
			_glob: glob
		});
	}
	get options() {
		return this.#options;
	}
	toRegExpSource(allowDot) {
		const dot = allowDot ?? !!this.#options.dot;
		if (this.#root === this) {
			this.#flatten();
			this.#fillNegs();
		}
		if (!isExtglobAST(this)) {
			const noEmpty = this.isStart() && this.isEnd() && !this.#parts.some((s) => typeof s !== "string");
			const src = this.#parts.map((p) => {
				const [re, _, hasMagic, uflag] = typeof p === "string" ? _a.#parseGlob(p, this.#hasMagic, noEmpty) : p.toRegExpSource(allowDot);
				this.#hasMagic = this.#hasMagic || hasMagic;
				this.#uflag = this.#uflag || uflag;
				return re;
			}).join("");
			let start = "";
			if (this.isStart()) {
				if (typeof this.#parts[0] === "string") {
					if (!(this.#parts.length === 1 && justDots.has(this.#parts[0]))) {
						const aps = addPatternStart;
						const needNoTrav = dot && aps.has(src.charAt(0)) || src.startsWith("\\.") && aps.has(src.charAt(2)) || src.startsWith("\\.\\.") && aps.has(src.charAt(4));
						const needNoDot = !dot && !allowDot && aps.has(src.charAt(0));
						start = needNoTrav ? startNoTraversal : needNoDot ? startNoDot : "";
					}
				}
			}
			let end = "";
			if (this.isEnd() && this.#root.#filledNegs && this.#parent?.type === "!") end = "(?:$|\\/)";
			return [
				start + src + end,
				main_unescape(src),
				this.#hasMagic = !!this.#hasMagic,
				this.#uflag
			];
		}
		const repeated = this.type === "*" || this.type === "+";
		const start = this.type === "!" ? "(?:(?!(?:" : "(?:";
		let body = this.#partsToRegExp(dot);
		if (this.isStart() && this.isEnd() && !body && this.type !== "!") {
			const s = this.toString();
			const me = this;
			me.#parts = [s];
			me.type = null;
			me.#hasMagic = void 0;
			return [
				s,
				main_unescape(this.toString()),
				false,
				false
			];
		}
		let bodyDotAllowed = !repeated || allowDot || dot || false ? "" : this.#partsToRegExp(true);
		if (bodyDotAllowed === body) bodyDotAllowed = "";
		if (bodyDotAllowed) body = `(?:${body})(?:${bodyDotAllowed})*?`;
		let final = "";
		if (this.type === "!" && this.#emptyExt) final = (this.isStart() && !dot ? startNoDot : "") + starNoEmpty;
		else {
			const close = this.type === "!" ? "))" + (this.isStart() && !dot && !allowDot ? startNoDot : "") + "[^/]*?)" : this.type === "@" ? ")" : this.type === "?" ? ")?" : this.type === "+" && bodyDotAllowed ? ")" : this.type === "*" && bodyDotAllowed ? `)?` : `)${this.type}`;
			final = start + body + close;
		}
		return [
			final,
			main_unescape(body),
			this.#hasMagic = !!this.#hasMagic,
			this.#uflag
		];
	}
	#flatten() {
		if (!isExtglobAST(this)) {
			for (const p of this.#parts) if (typeof p === "object") p.#flatten();
		} else {
			let iterations = 0;
			let done = false;
			do {
				done = true;
				for (let i = 0; i < this.#parts.length; i++) {
					const c = this.#parts[i];
					if (typeof c === "object") {
						c.#flatten();
						if (this.#canAdopt(c)) {
							done = false;
							this.#adopt(c, i);
						} else if (this.#canAdoptWithSpace(c)) {
							done = false;
							this.#adoptWithSpace(c, i);
						} else if (this.#canUsurp(c)) {
							done = false;
							this.#usurp(c);
						}
					}
				}
			} while (!done && ++iterations < 10);
		}
		this.#toString = void 0;
	}
	#partsToRegExp(dot) {
		return this.#parts.map((p) => {
			if (typeof p === "string") throw new Error("string type in extglob ast??");
			const [re, _, _hasMagic, uflag] = p.toRegExpSource(dot);
			this.#uflag = this.#uflag || uflag;
			return re;
		}).filter((p) => !(this.isStart() && this.isEnd()) || !!p).join("|");
	}
	static #parseGlob(glob, hasMagic, noEmpty = false) {
		let escaping = false;
		let re = "";
		let uflag = false;
		let inStar = false;
		for (let i = 0; i < glob.length; i++) {
			const c = glob.charAt(i);
			if (escaping) {
				escaping = false;
				re += (reSpecials.has(c) ? "\\" : "") + c;
				continue;
			}
			if (c === "*") {
				if (inStar) continue;
				inStar = true;
				re += noEmpty && /^[*]+$/.test(glob) ? starNoEmpty : star$1;
				hasMagic = true;
				continue;
			} else inStar = false;
			if (c === "\\") {
				if (i === glob.length - 1) re += "\\\\";
				else escaping = true;
				continue;
			}
			if (c === "[") {
				const [src, needUflag, consumed, magic] = parseClass$1(glob, i);
				if (consumed) {
					re += src;
					uflag = uflag || needUflag;
					i += consumed - 1;
					hasMagic = hasMagic || magic;
					continue;
				}
			}
			if (c === "?") {
				re += qmark;
				hasMagic = true;
				continue;
			}
			re += regExpEscape$1(c);
		}
		return [
			re,
			main_unescape(glob),
			!!hasMagic,
			uflag
		];
	}
};
_a = AST;
// node_modules/minimatch/dist/esm/escape.js
const main_escape = (s, { windowsPathsNoEscape = false, magicalBraces = false } = {}) => {
	if (magicalBraces) return windowsPathsNoEscape ? s.replace(/[?*()[\]{}]/g, "[$&]") : s.replace(/[?*()[\]\\{}]/g, "\\$&");
	return windowsPathsNoEscape ? s.replace(/[?*()[\]]/g, "[$&]") : s.replace(/[?*()[\]\\]/g, "\\$&");
};
// node_modules/minimatch/dist/esm/index.js
const minimatch = (p, pattern, options = {}) => {
	assertValidPattern(pattern);
	if (!options.nocomment && pattern.charAt(0) === "#") return false;
	return new Minimatch(pattern, options).match(p);
};
const starDotExtRE = /^\*+([^+@!?*[(]*)$/;
const starDotExtTest = (ext) => (f) => !f.startsWith(".") && f.endsWith(ext);
const starDotExtTestDot = (ext) => (f) => f.endsWith(ext);
const starDotExtTestNocase = (ext) => {
	ext = ext.toLowerCase();
	return (f) => !f.startsWith(".") && f.toLowerCase().endsWith(ext);
};
const starDotExtTestNocaseDot = (ext) => {
	ext = ext.toLowerCase();
	return (f) => f.toLowerCase().endsWith(ext);
};
const starDotStarRE = /^\*+\.\*+$/;
const starDotStarTest = (f) => !f.startsWith(".") && f.includes(".");
const starDotStarTestDot = (f) => f !== "." && f !== ".." && f.includes(".");
const dotStarRE = /^\.\*+$/;
const dotStarTest = (f) => f !== "." && f !== ".." && f.startsWith(".");
const starRE = /^\*+$/;
const starTest = (f) => f.length !== 0 && !f.startsWith(".");
const starTestDot = (f) => f.length !== 0 && f !== "." && f !== "..";
const qmarksRE = /^\?+([^+@!?*[(]*)?$/;
const qmarksTestNocase = ([$0, ext = ""]) => {
	const noext = qmarksTestNoExt([$0]);
	if (!ext) return noext;
	ext = ext.toLowerCase();
	return (f) => noext(f) && f.toLowerCase().endsWith(ext);
};
const qmarksTestNocaseDot = ([$0, ext = ""]) => {
	const noext = qmarksTestNoExtDot([$0]);
	if (!ext) return noext;
	ext = ext.toLowerCase();
	return (f) => noext(f) && f.toLowerCase().endsWith(ext);
};
const qmarksTestDot = ([$0, ext = ""]) => {
	const noext = qmarksTestNoExtDot([$0]);
	return !ext ? noext : (f) => noext(f) && f.endsWith(ext);
};
const qmarksTest = ([$0, ext = ""]) => {
	const noext = qmarksTestNoExt([$0]);
	return !ext ? noext : (f) => noext(f) && f.endsWith(ext);
};
const qmarksTestNoExt = ([$0]) => {
	const len = $0.length;
	return (f) => f.length === len && !f.startsWith(".");
};
const qmarksTestNoExtDot = ([$0]) => {
	const len = $0.length;
	return (f) => f.length === len && f !== "." && f !== "..";
};
const defaultPlatform = typeof process === "object" && process ? typeof process.env === "object" && process.env && process.env.__MINIMATCH_TESTING_PLATFORM__ || process.platform : "posix";
const path$2 = {
	win32: { sep: "\\" },
	posix: { sep: "/" }
};
minimatch.sep = defaultPlatform === "win32" ? path$2.win32.sep : path$2.posix.sep;
const GLOBSTAR = Symbol("globstar **");
minimatch.GLOBSTAR = GLOBSTAR;
const star = "[^/]*?";
const twoStarDot = "(?:(?!(?:\\/|^)(?:\\.{1,2})($|\\/)).)*?";
const twoStarNoDot = "(?:(?!(?:\\/|^)\\.).)*?";
const filter = (pattern, options = {}) => (p) => minimatch(p, pattern, options);
minimatch.filter = filter;
const ext = (a, b = {}) => Object.assign({}, a, b);
const defaults = (def) => {
	if (!def || typeof def !== "object" || !Object.keys(def).length) return minimatch;
	const orig = minimatch;
	const m = (p, pattern, options = {}) => orig(p, pattern, ext(def, options));
	return Object.assign(m, {
		Minimatch: class Minimatch extends orig.Minimatch {
			constructor(pattern, options = {}) {
				super(pattern, ext(def, options));
			}
			static defaults(options) {
				return orig.defaults(ext(def, options)).Minimatch;
			}
		},
		AST: class AST extends orig.AST {
			constructor(type, parent, options = {}) {
				super(type, parent, ext(def, options));
			}
			static fromGlob(pattern, options = {}) {
				return orig.AST.fromGlob(pattern, ext(def, options));
			}
		},
		unescape: (s, options = {}) => orig.unescape(s, ext(def, options)),
		escape: (s, options = {}) => orig.escape(s, ext(def, options)),
		filter: (pattern, options = {}) => orig.filter(pattern, ext(def, options)),
		defaults: (options) => orig.defaults(ext(def, options)),
		makeRe: (pattern, options = {}) => orig.makeRe(pattern, ext(def, options)),
		braceExpand: (pattern, options = {}) => orig.braceExpand(pattern, ext(def, options)),
		match: (list, pattern, options = {}) => orig.match(list, pattern, ext(def, options)),
		sep: orig.sep,
		GLOBSTAR
	});
};
minimatch.defaults = defaults;
const braceExpand = (pattern, options = {}) => {
	assertValidPattern(pattern);
	if (options.nobrace || !/\{(?:(?!\{).)*\}/.test(pattern)) return [pattern];
	return expand(pattern, { max: options.braceExpandMax });
};
minimatch.braceExpand = braceExpand;
const makeRe = (pattern, options = {}) => new Minimatch(pattern, options).makeRe();
minimatch.makeRe = makeRe;
const match$1 = (list, pattern, options = {}) => {
	const mm = new Minimatch(pattern, options);
	list = list.filter((f) => mm.match(f));
	if (mm.options.nonull && !list.length) list.push(pattern);
	return list;
};
minimatch.match = match$1;
const globMagic = /[?*]|[+@!]\(.*?\)|\[|\]/;
const regExpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, "\\$&");
var Minimatch = class {
	options;
	set;
	pattern;
	windowsPathsNoEscape;
	nonegate;
	negate;
	comment;
	empty;
	preserveMultipleSlashes;
	partial;
	globSet;
	globParts;
	nocase;
	isWindows;
	platform;
	windowsNoMagicRoot;
	maxGlobstarRecursion;
	regexp;
	constructor(pattern, options = {}) {
		assertValidPattern(pattern);
		options = options || {};
		this.options = options;
		this.maxGlobstarRecursion = options.maxGlobstarRecursion ?? 200;
		this.pattern = pattern;
		this.platform = options.platform || defaultPlatform;
		this.isWindows = this.platform === "win32";
		const awe = "allowWindowsEscape";
		this.windowsPathsNoEscape = !!options.windowsPathsNoEscape || options[awe] === false;
		if (this.windowsPathsNoEscape) this.pattern = this.pattern.replace(/\\/g, "/");
		this.preserveMultipleSlashes = !!options.preserveMultipleSlashes;
		this.regexp = null;
		this.negate = false;
		this.nonegate = !!options.nonegate;
		this.comment = false;
		this.empty = false;
		this.partial = !!options.partial;
		this.nocase = !!this.options.nocase;
		this.windowsNoMagicRoot = options.windowsNoMagicRoot !== void 0 ? options.windowsNoMagicRoot : !!(this.isWindows && this.nocase);
		this.globSet = [];
		this.globParts = [];
		this.set = [];
		this.make();
	}
	hasMagic() {
		if (this.options.magicalBraces && this.set.length > 1) return true;
		for (const pattern of this.set) for (const part of pattern) if (typeof part !== "string") return true;
		return false;
	}
	debug(..._) {}
	make() {
		const pattern = this.pattern;
		const options = this.options;
		if (!options.nocomment && pattern.charAt(0) === "#") {
			this.comment = true;
			return;
		}
		if (!pattern) {
			this.empty = true;
			return;
		}
		this.parseNegate();
		this.globSet = [...new Set(this.braceExpand())];
		if (options.debug) this.debug = (...args) => console.error(...args);
		this.debug(this.pattern, this.globSet);
		const rawGlobParts = this.globSet.map((s) => this.slashSplit(s));
		this.globParts = this.preprocess(rawGlobParts);
		this.debug(this.pattern, this.globParts);
		let set = this.globParts.map((s, _, __) => {
			if (this.isWindows && this.windowsNoMagicRoot) {
				const isUNC = s[0] === "" && s[1] === "" && (s[2] === "?" || !globMagic.test(s[2])) && !globMagic.test(s[3]);
				const isDrive = /^[a-z]:/i.test(s[0]);
				if (isUNC) return [...s.slice(0, 4), ...s.slice(4).map((ss) => this.parse(ss))];
				else if (isDrive) return [s[0], ...s.slice(1).map((ss) => this.parse(ss))];
			}
			return s.map((ss) => this.parse(ss));
		});
		this.debug(this.pattern, set);
		this.set = set.filter((s) => s.indexOf(false) === -1);
		if (this.isWindows) for (let i = 0; i < this.set.length; i++) {
			const p = this.set[i];
			if (p[0] === "" && p[1] === "" && this.globParts[i][2] === "?" && typeof p[3] === "string" && /^[a-z]:$/i.test(p[3])) p[2] = "?";
		}
		this.debug(this.pattern, this.set);
	}
	preprocess(globParts) {
		if (this.options.noglobstar) {
			for (const partset of globParts) for (let j = 0; j < partset.length; j++) if (partset[j] === "**") partset[j] = "*";
		}
		const { optimizationLevel = 1 } = this.options;
		if (optimizationLevel >= 2) {
			globParts = this.firstPhasePreProcess(globParts);
			globParts = this.secondPhasePreProcess(globParts);
		} else if (optimizationLevel >= 1) globParts = this.levelOneOptimize(globParts);
		else globParts = this.adjascentGlobstarOptimize(globParts);
		return globParts;
	}
	adjascentGlobstarOptimize(globParts) {
		return globParts.map((parts) => {
			let gs = -1;
			while (-1 !== (gs = parts.indexOf("**", gs + 1))) {
				let i = gs;
				while (parts[i + 1] === "**") i++;
				if (i !== gs) parts.splice(gs, i - gs);
			}
			return parts;
		});
	}
	levelOneOptimize(globParts) {
		return globParts.map((parts) => {
			parts = parts.reduce((set, part) => {
				const prev = set[set.length - 1];
				if (part === "**" && prev === "**") return set;
				if (part === "..") {
					if (prev && prev !== ".." && prev !== "." && prev !== "**") {
						set.pop();
						return set;
					}
				}
				set.push(part);
				return set;
			}, []);
			return parts.length === 0 ? [""] : parts;
		});
	}
	levelTwoFileOptimize(parts) {
		if (!Array.isArray(parts)) parts = this.slashSplit(parts);
		let didSomething = false;
		do {
			didSomething = false;
			if (!this.preserveMultipleSlashes) {
				for (let i = 1; i < parts.length - 1; i++) {
					const p = parts[i];
					if (i === 1 && p === "" && parts[0] === "") continue;
					if (p === "." || p === "") {
						didSomething = true;
						parts.splice(i, 1);
						i--;
					}
				}
				if (parts[0] === "." && parts.length === 2 && (parts[1] === "." || parts[1] === "")) {
					didSomething = true;
					parts.pop();
				}
			}
			let dd = 0;
			while (-1 !== (dd = parts.indexOf("..", dd + 1))) {
				const p = parts[dd - 1];
				if (p && p !== "." && p !== ".." && p !== "**" && !(this.isWindows && /^[a-z]:$/i.test(p))) {
					didSomething = true;
					parts.splice(dd - 1, 2);
					dd -= 2;
				}
			}
		} while (didSomething);
		return parts.length === 0 ? [""] : parts;
	}
	firstPhasePreProcess(globParts) {
		let didSomething = false;
		do {
			didSomething = false;
			for (let parts of globParts) {
				let gs = -1;
				while (-1 !== (gs = parts.indexOf("**", gs + 1))) {
					let gss = gs;
					while (parts[gss + 1] === "**") gss++;
					if (gss > gs) parts.splice(gs + 1, gss - gs);
					let next = parts[gs + 1];
					const p = parts[gs + 2];
					const p2 = parts[gs + 3];
					if (next !== "..") continue;
					if (!p || p === "." || p === ".." || !p2 || p2 === "." || p2 === "..") continue;
					didSomething = true;
					parts.splice(gs, 1);
					const other = parts.slice(0);
					other[gs] = "**";
					globParts.push(other);
					gs--;
				}
				if (!this.preserveMultipleSlashes) {
					for (let i = 1; i < parts.length - 1; i++) {
						const p = parts[i];
						if (i === 1 && p === "" && parts[0] === "") continue;
						if (p === "." || p === "") {
							didSomething = true;
							parts.splice(i, 1);
							i--;
						}
					}
					if (parts[0] === "." && parts.length === 2 && (parts[1] === "." || parts[1] === "")) {
						didSomething = true;
						parts.pop();
					}
				}
				let dd = 0;
				while (-1 !== (dd = parts.indexOf("..", dd + 1))) {
					const p = parts[dd - 1];
					if (p && p !== "." && p !== ".." && p !== "**") {
						didSomething = true;
						const splin = dd === 1 && parts[dd + 1] === "**" ? ["."] : [];
						parts.splice(dd - 1, 2, ...splin);
						if (parts.length === 0) parts.push("");
						dd -= 2;
					}
				}
			}
		} while (didSomething);
		return globParts;
	}
	secondPhasePreProcess(globParts) {
		for (let i = 0; i < globParts.length - 1; i++) for (let j = i + 1; j < globParts.length; j++) {
			const matched = this.partsMatch(globParts[i], globParts[j], !this.preserveMultipleSlashes);
			if (matched) {
				globParts[i] = [];
				globParts[j] = matched;
				break;
			}
		}
		return globParts.filter((gs) => gs.length);
	}
	partsMatch(a, b, emptyGSMatch = false) {
		let ai = 0;
		let bi = 0;
		let result = [];
		let which = "";
		while (ai < a.length && bi < b.length) if (a[ai] === b[bi]) {
			result.push(which === "b" ? b[bi] : a[ai]);
			ai++;
			bi++;
		} else if (emptyGSMatch && a[ai] === "**" && b[bi] === a[ai + 1]) {
			result.push(a[ai]);
			ai++;
		} else if (emptyGSMatch && b[bi] === "**" && a[ai] === b[bi + 1]) {
			result.push(b[bi]);
			bi++;
		} else if (a[ai] === "*" && b[bi] && (this.options.dot || !b[bi].startsWith(".")) && b[bi] !== "**") {
			if (which === "b") return false;
			which = "a";
			result.push(a[ai]);
			ai++;
			bi++;
		} else if (b[bi] === "*" && a[ai] && (this.options.dot || !a[ai].startsWith(".")) && a[ai] !== "**") {
			if (which === "a") return false;
			which = "b";
			result.push(b[bi]);
			ai++;
			bi++;
		} else return false;
		return a.length === b.length && result;
	}
	parseNegate() {
		if (this.nonegate) return;
		const pattern = this.pattern;
		let negate = false;
		let negateOffset = 0;
		for (let i = 0; i < pattern.length && pattern.charAt(i) === "!"; i++) {
			negate = !negate;
			negateOffset++;
		}
		if (negateOffset) this.pattern = pattern.slice(negateOffset);
		this.negate = negate;
	}
	matchOne(file, pattern, partial = false) {
		let fileStartIndex = 0;
		let patternStartIndex = 0;
		if (this.isWindows) {
			const fileDrive = typeof file[0] === "string" && /^[a-z]:$/i.test(file[0]);
			const fileUNC = !fileDrive && file[0] === "" && file[1] === "" && file[2] === "?" && /^[a-z]:$/i.test(file[3]);
			const patternDrive = typeof pattern[0] === "string" && /^[a-z]:$/i.test(pattern[0]);
			const patternUNC = !patternDrive && pattern[0] === "" && pattern[1] === "" && pattern[2] === "?" && typeof pattern[3] === "string" && /^[a-z]:$/i.test(pattern[3]);
			const fdi = fileUNC ? 3 : fileDrive ? 0 : void 0;
			const pdi = patternUNC ? 3 : patternDrive ? 0 : void 0;
			if (typeof fdi === "number" && typeof pdi === "number") {
				const [fd, pd] = [file[fdi], pattern[pdi]];
				if (fd.toLowerCase() === pd.toLowerCase()) {
					pattern[pdi] = fd;
					patternStartIndex = pdi;
					fileStartIndex = fdi;
				}
			}
		}
		const { optimizationLevel = 1 } = this.options;
		if (optimizationLevel >= 2) file = this.levelTwoFileOptimize(file);
		if (pattern.includes(GLOBSTAR)) return this.#matchGlobstar(file, pattern, partial, fileStartIndex, patternStartIndex);
		return this.#matchOne(file, pattern, partial, fileStartIndex, patternStartIndex);
	}
	#matchGlobstar(file, pattern, partial, fileIndex, patternIndex) {
		const firstgs = pattern.indexOf(GLOBSTAR, patternIndex);
		const lastgs = pattern.lastIndexOf(GLOBSTAR);
		const [head, body, tail] = partial ? [
			pattern.slice(patternIndex, firstgs),
			pattern.slice(firstgs + 1),
			[]
		] : [
			pattern.slice(patternIndex, firstgs),
			pattern.slice(firstgs + 1, lastgs),
			pattern.slice(lastgs + 1)
		];
		if (head.length) {
			const fileHead = file.slice(fileIndex, fileIndex + head.length);
			if (!this.#matchOne(fileHead, head, partial, 0, 0)) return false;
			fileIndex += head.length;
			patternIndex += head.length;
		}
		let fileTailMatch = 0;
		if (tail.length) {
			if (tail.length + fileIndex > file.length) return false;
			let tailStart = file.length - tail.length;
			if (this.#matchOne(file, tail, partial, tailStart, 0)) fileTailMatch = tail.length;
			else {
				if (file[file.length - 1] !== "" || fileIndex + tail.length === file.length) return false;
				tailStart--;
				if (!this.#matchOne(file, tail, partial, tailStart, 0)) return false;
				fileTailMatch = tail.length + 1;
			}
		}
		if (!body.length) {
			let sawSome = !!fileTailMatch;
			for (let i = fileIndex; i < file.length - fileTailMatch; i++) {
				const f = String(file[i]);
				sawSome = true;
				if (f === "." || f === ".." || !this.options.dot && f.startsWith(".")) return false;
			}
			return partial || sawSome;
		}
		const bodySegments = [[[], 0]];
		let currentBody = bodySegments[0];
		let nonGsParts = 0;
		const nonGsPartsSums = [0];
		for (const b of body) if (b === GLOBSTAR) {
			nonGsPartsSums.push(nonGsParts);
			currentBody = [[], 0];
			bodySegments.push(currentBody);
		} else {
			currentBody[0].push(b);
			nonGsParts++;
		}
		let i = bodySegments.length - 1;
		const fileLength = file.length - fileTailMatch;
		for (const b of bodySegments) b[1] = fileLength - (nonGsPartsSums[i--] + b[0].length);
		return !!this.#matchGlobStarBodySections(file, bodySegments, fileIndex, 0, partial, 0, !!fileTailMatch);
	}
	#matchGlobStarBodySections(file, bodySegments, fileIndex, bodyIndex, partial, globStarDepth, sawTail) {
		const bs = bodySegments[bodyIndex];
		if (!bs) {
			for (let i = fileIndex; i < file.length; i++) {
				sawTail = true;
				const f = file[i];
				if (f === "." || f === ".." || !this.options.dot && f.startsWith(".")) return false;
			}
			return sawTail;
		}
		const [body, after] = bs;
		while (fileIndex <= after) {
			if (this.#matchOne(file.slice(0, fileIndex + body.length), body, partial, fileIndex, 0) && globStarDepth < this.maxGlobstarRecursion) {
				const sub = this.#matchGlobStarBodySections(file, bodySegments, fileIndex + body.length, bodyIndex + 1, partial, globStarDepth + 1, sawTail);
				if (sub !== false) return sub;
			}
			const f = file[fileIndex];
			if (f === "." || f === ".." || !this.options.dot && f.startsWith(".")) return false;
			fileIndex++;
		}
		return partial || null;
	}
	#matchOne(file, pattern, partial, fileIndex, patternIndex) {
		let fi;
		let pi;
		let pl;
		let fl;
		for (fi = fileIndex, pi = patternIndex, fl = file.length, pl = pattern.length; fi < fl && pi < pl; fi++, pi++) {
			this.debug("matchOne loop");
			let p = pattern[pi];
			let f = file[fi];
			this.debug(pattern, p, f);
			if (p === false || p === GLOBSTAR) return false;
			let hit;
			if (typeof p === "string") {
				hit = f === p;
				this.debug("string match", p, f, hit);
			} else {
				hit = p.test(f);
				this.debug("pattern match", p, f, hit);
			}
			if (!hit) return false;
		}
		if (fi === fl && pi === pl) return true;
		else if (fi === fl) return partial;
		else if (pi === pl) return fi === fl - 1 && file[fi] === "";
		else throw new Error("wtf?");
	}
	braceExpand() {
		return braceExpand(this.pattern, this.options);
	}
	parse(pattern) {
		assertValidPattern(pattern);
		const options = this.options;
		if (pattern === "**") return GLOBSTAR;
		if (pattern === "") return "";
		let m;
		let fastTest = null;
		if (m = pattern.match(starRE)) fastTest = options.dot ? starTestDot : starTest;
		else if (m = pattern.match(starDotExtRE)) fastTest = (options.nocase ? options.dot ? starDotExtTestNocaseDot : starDotExtTestNocase : options.dot ? starDotExtTestDot : starDotExtTest)(m[1]);
		else if (m = pattern.match(qmarksRE)) fastTest = (options.nocase ? options.dot ? qmarksTestNocaseDot : qmarksTestNocase : options.dot ? qmarksTestDot : qmarksTest)(m);
		else if (m = pattern.match(starDotStarRE)) fastTest = options.dot ? starDotStarTestDot : starDotStarTest;
		else if (m = pattern.match(dotStarRE)) fastTest = dotStarTest;
		const re = AST.fromGlob(pattern, this.options).toMMPattern();
		if (fastTest && typeof re === "object") Reflect.defineProperty(re, "test", { value: fastTest });
		return re;
	}
	makeRe() {
		if (this.regexp || this.regexp === false) return this.regexp;
		const set = this.set;
		if (!set.length) {
			this.regexp = false;
			return this.regexp;
		}
		const options = this.options;
		const twoStar = options.noglobstar ? star : options.dot ? twoStarDot : twoStarNoDot;
		const flags = new Set(options.nocase ? ["i"] : []);
		let re = set.map((pattern) => {
			const pp = pattern.map((p) => {
				if (p instanceof RegExp) for (const f of p.flags.split("")) flags.add(f);
				return typeof p === "string" ? regExpEscape(p) : p === GLOBSTAR ? GLOBSTAR : p._src;
			});
			pp.forEach((p, i) => {
				const next = pp[i + 1];
				const prev = pp[i - 1];
				if (p !== GLOBSTAR || prev === GLOBSTAR) return;
				if (prev === void 0) {
					if (next !== void 0 && next !== GLOBSTAR) pp[i + 1] = "(?:\\/|" + twoStar + "\\/)?" + next;
					else pp[i] = twoStar;
				} else if (next === void 0) pp[i - 1] = prev + "(?:\\/|\\/" + twoStar + ")?";
				else if (next !== GLOBSTAR) {
					pp[i - 1] = prev + "(?:\\/|\\/" + twoStar + "\\/)" + next;
					pp[i + 1] = GLOBSTAR;
				}
			});
			const filtered = pp.filter((p) => p !== GLOBSTAR);
			if (this.partial && filtered.length >= 1) {
				const prefixes = [];
				for (let i = 1; i <= filtered.length; i++) prefixes.push(filtered.slice(0, i).join("/"));
				return "(?:" + prefixes.join("|") + ")";
			}
			return filtered.join("/");
		}).join("|");
		const [open, close] = set.length > 1 ? ["(?:", ")"] : ["", ""];
		re = "^" + open + re + close + "$";
		if (this.partial) re = "^(?:\\/|" + open + re.slice(1, -1) + close + ")$";
		if (this.negate) re = "^(?!" + re + ").+$";
		try {
			this.regexp = new RegExp(re, [...flags].join(""));
		} catch {
			this.regexp = false;
		}
		return this.regexp;
	}
	slashSplit(p) {
		if (this.preserveMultipleSlashes) return p.split("/");
		else if (this.isWindows && /^\/\/[^/]+/.test(p)) return ["", ...p.split(/\/+/)];
		else return p.split(/\/+/);
	}
	match(f, partial = this.partial) {
		this.debug("match", f, this.pattern);
		if (this.comment) return false;
		if (this.empty) return f === "";
		if (f === "/" && partial) return true;
		const options = this.options;
		if (this.isWindows) f = f.split("\\").join("/");
		const ff = this.slashSplit(f);
		this.debug(this.pattern, "split", ff);
		const set = this.set;
		this.debug(this.pattern, "set", set);
		let filename = ff[ff.length - 1];
		if (!filename) for (let i = ff.length - 2; !filename && i >= 0; i--) filename = ff[i];
		for (const pattern of set) {
			let file = ff;
			if (options.matchBase && pattern.length === 1) file = [filename];
			if (this.matchOne(file, pattern, partial)) {
				if (options.flipNegate) return true;
				return !this.negate;
			}
		}
		if (options.flipNegate) return false;
		return this.negate;
	}
	static defaults(def) {
		return minimatch.defaults(def).Minimatch;
	}
};
minimatch.AST = AST;
minimatch.Minimatch = Minimatch;
minimatch.escape = main_escape;
minimatch.unescape = main_unescape;
// src/media/patterns.ts
const MAX_ALTERNATIVES$1 = 1e3;
const MAX_PATTERN_LENGTH = 1e3;
var PatternError = class extends Error {
	name = "PatternError";
};
function parsePattern(text, root) {
	let rest = text;
	let exclude = false;
	while (rest.startsWith("!")) {
		exclude = !exclude;
		rest = rest.slice(1).trim();
	}
	if (rest === "") throw new PatternError("which has nothing after the `!`");
	if (rest.length > MAX_PATTERN_LENGTH) throw new PatternError("which is too long");
	const pattern = relativeTo(root, (root.windows ? rest.replaceAll("\\", "/") : rest).normalize("NFC"));
	const spellings = new Set([...braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES$1 }), pattern]);
	if (spellings.size > MAX_ALTERNATIVES$1) throw new PatternError(`whose braces stand for ${MAX_ALTERNATIVES$1} patterns or more`);
	const alternatives = [];
	for (const spelling of spellings) {
		const parts = spelling.split("/");
		if (isRooted(spelling, root.windows)) throw new PatternError("which is outside the folder that is searched");
		if (parts.includes("..")) throw new PatternError("which holds `..`: only files in the workspace can be sent");
		alternatives.push(segmentsOf(parts, root.windows));
	}
	return {
		text,
		exclude,
		alternatives
	};
}
function relativeTo({ searchRoot, windows: isWindows }, pattern) {
	const base = (isWindows ? searchRoot.replaceAll("\\", "/") : searchRoot).normalize("NFC").replace(/\/+$/, "");
	const [a, b] = isWindows ? [pattern.toLowerCase(), base.toLowerCase()] : [pattern, base];
	if (a === b) return ".";
	return a.startsWith(`${b}/`) ? `.${pattern.slice(base.length)}` : pattern;
}
function isRooted(pattern, isWindows) {
	return /^(?:\/|~$|~\/)/.test(pattern) || isWindows && /^[a-z]:/i.test(pattern);
}
function segmentsOf(parts, isWindows) {
	const isFolderOnly = parts.at(-1) === "";
	const kept = parts.filter((part) => part !== "" && part !== ".");
	if (isFolderOnly) kept.push("**", "*");
	while (kept.at(-1) === "**") kept.pop();
	return kept.map((part) => segmentOf(part, isWindows));
}
function segmentOf(text, isWindows) {
	if (text === "**") return {
		text,
		anyDepth: true,
		matches: () => true,
		matchesFile: () => true
	};
	const foldedText = foldExtension(text);
	const plain = matcherOf(text, isWindows);
	const folded = foldedText === text ? plain : matcherOf(foldedText, isWindows);
	const isSameTest = (name) => folded === plain && name.folded === name.text;
	return {
		text,
		anyDepth: false,
		matches: (name) => plain(name.text),
		matchesFile: (name) => folded(name.folded) || !isSameTest(name) && plain(name.text)
	};
}
function matcherOf(text, isWindows) {
	const glob = compileGlob(text, isWindows);
	const literal = isWindows ? text.toLowerCase() : text;
	return (name) => glob(name) || (isWindows ? name.toLowerCase() : name) === literal;
}
function foldExtension(name) {
	const dot = name.lastIndexOf(".");
	return dot === -1 ? name : name.slice(0, dot) + name.slice(dot).toLowerCase();
}
function nameOf$1(raw) {
	const text = raw.normalize("NFC");
	return {
		text,
		folded: foldExtension(text)
	};
}
const CLASS = /^\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/u;
const ENDING = /^\*([^*?[\]\\]+)$/;
function compileGlob(pattern, ignoresCase) {
	const ending = ENDING.exec(pattern)?.[1];
	if (ending !== void 0 && !ignoresCase) return (name) => name.endsWith(ending);
	const tokens = parseTokens(pattern, ignoresCase);
	return (name) => matchesTokens(tokens, Array.from(name));
}
function parseTokens(pattern, ignoresCase) {
	const tokens = [];
	let rest = pattern;
	while (rest !== "") {
		const text = (rest.includes("]") ? CLASS.exec(rest)?.[0] : void 0) ?? /^\\[^]|^[^]/u.exec(rest)?.[0] ?? rest;
		rest = rest.slice(text.length);
		if (text !== "*") tokens.push(parseCharacter(text, ignoresCase));
		else if (tokens.at(-1) !== "many") tokens.push("many");
	}
	return tokens;
}
function parseCharacter(text, ignoresCase) {
	if (text === "?") return () => true;
	if (text.length > 2 && text.startsWith("[")) return parseClass(text, ignoresCase);
	const literal = text.startsWith("\\") && text.length > 1 ? text.slice(1) : text;
	return ignoresCase ? (character) => character.toLowerCase() === literal.toLowerCase() : (character) => character === literal;
}
function parseClass(text, ignoresCase) {
	const parsed = new Minimatch(text, {
		dot: true,
		nobrace: true,
		nocase: ignoresCase,
		noext: true,
		nonegate: true,
		nocomment: true,
		platform: "linux"
	}).set[0]?.[0];
	if (parsed instanceof RegExp) return (character) => parsed.test(character);
	return (character) => character === parsed;
}
function matchesTokens(tokens, name) {
	let at = 0;
	let token = 0;
	let star;
	while (at < name.length) {
		const current = tokens[token];
		if (current === "many") {
			star = {
				token,
				at
			};
			token += 1;
		} else if (current?.(name[at] ?? "")) {
			at += 1;
			token += 1;
		} else if (star) {
			star.at += 1;
			at = star.at;
			token = star.token + 1;
		} else return false;
	}
	while (tokens[token] === "many") token += 1;
	return token === tokens.length;
}
const DEFAULT_PATTERNS = [
	"mp4 m4v mov webm mkv avi wmv flv mpg mpeg m2ts 3gp ogv",
	"mp3 m4a aac wav flac ogg oga opus wma aif aiff",
	"jpg jpeg png apng gif webp avif heic heif tif tiff bmp svg psd",
	"pdf doc docx ppt pptx xls xlsx odt odp ods rtf epub"
].flatMap((extensions) => extensions.split(" ").map((extension) => `**/*.${extension}`));
// src/inputs/inputs.ts
const DEFAULTS = {
	"api-key": "",
	"base-url": "",
	files: `${DEFAULT_PATTERNS.join("\n")}\n`,
	"fail-on-severity": "CRITICAL",
	"fail-on-issues": "all",
	comment: "never",
	"only-changed": "false",
	"waivers-file": "",
	"working-directory": "",
	"if-no-files-found": "warn",
	"if-no-api-key": "error",
	"on-service-error": "error",
	name: "media-compliance",
	"reuse-days": "90",
	"max-files": "500",
	"ignore-statuses": "RESOLVED, DISMISSED",
	"sidekick-ids": "",
	metadata: "",
	"upload-concurrency": "8",
	"wait-timeout-minutes": "30",
	"issue-url": "",
	"report-dir": "",
	"report-artifact": "true",
	"retention-days": "",
	"state-file": "",
	"state-key": "",
	"dry-run": "false",
	"github-token": "",
	"simulation-delay-seconds": "",
	"sandbox-event": "",
	"sandbox-error-message": "",
	matrix: ""
};
const SECRET_INPUTS = [
	"api-key",
	"state-key",
	"github-token"
];
const ISSUE_URL_PLACEHOLDERS = [
	"referenceNumber",
	"issueId",
	"assetId",
	"submissionId"
];
function issueUrl(template, values) {
	return ISSUE_URL_PLACEHOLDERS.reduce((url, name) => url.replaceAll(`{${name}}`, () => encodeURIComponent(values[name].toWellFormed())), template);
}
// src/service/issue.ts
const SEVERITIES = [
	"CRITICAL",
	"MAJOR",
	"MINOR",
	"INFO"
];
function severityRank(severity) {
	return SEVERITIES.indexOf(severity);
}
const MAX_LIST_ITEMS = 1e4;
const MAX_PRECEDENTS$2 = 100;
const ITEM_KEYS = [
	"items",
	"data",
	"results"
];
function arrayIn(answer, key) {
	if (Array.isArray(answer)) return answer;
	if (typeof answer !== "object" || answer === null) return void 0;
	const entries = new Map(Object.entries(answer));
	for (const name of [key, ...ITEM_KEYS]) {
		const value = entries.get(name);
		if (Array.isArray(value)) return value;
	}
	const arrays = [...entries.values()].filter((value) => Array.isArray(value));
	return arrays.length === 1 ? arrays[0] : void 0;
}
function readList$1(answer, key, readItem) {
	const array = arrayIn(answer, key);
	if (!array) return {
		items: [],
		size: void 0
	};
	return {
		items: array.slice(0, MAX_LIST_ITEMS).map(readItem).filter((item) => item !== void 0),
		size: array.length
	};
}
const optionalText = fallback(optional(string()), void 0);
const PrecedentItem = object({
	url: fallback(string(), ""),
	title: fallback(string(), ""),
	decision: fallback(string(), ""),
	date: fallback(string(), "")
});
const IssueItem = looseObject({
	id: pipe(string(), minLength(1)),
	severity: fallback(string(), ""),
	summary: fallback(string(), ""),
	status: fallback(string(), ""),
	ruleCode: fallback(string(), ""),
	referenceNumber: fallback(optional(number()), void 0),
	sidekickId: optionalText,
	severityReasoning: optionalText,
	severityReasoningHeadline: optionalText,
	precedents: fallback(array(unknown()), []),
	createdAt: optionalText,
	updatedAt: optionalText
});
function readIssues(answer) {
	return readList$1(answer, "issues", readIssue);
}
function readIssue(item) {
	const parsed = safeParse(IssueItem, item);
	if (!parsed.success) return void 0;
	const { severityReasoning, severityReasoningHeadline, precedents, ...issue } = parsed.output;
	return {
		...issue,
		severity: knownSeverity(issue.severity) ?? "CRITICAL",
		reportedSeverity: issue.severity,
		referenceNumber: issue.referenceNumber,
		sidekickId: issue.sidekickId,
		headline: severityReasoningHeadline,
		reasoning: severityReasoning,
		precedents: precedents.slice(0, MAX_PRECEDENTS$2).map(readPrecedent).filter((precedent) => precedent !== void 0),
		createdAt: issue.createdAt,
		updatedAt: issue.updatedAt
	};
}
function knownSeverity(reported) {
	return SEVERITIES.find((severity) => severity === reported.toUpperCase());
}
function readPrecedent(item) {
	const parsed = safeParse(PrecedentItem, item);
	return parsed.success ? parsed.output : void 0;
}
function readTopics(answer) {
	return readList$1(answer, "topics", readTopic);
}
function readTopic(item) {
	if (typeof item !== "object" || item === null) return void 0;
	const entries = new Map(Object.entries(item));
	const title = [
		"title",
		"name",
		"headline",
		"summary",
		"label"
	].map((key) => entries.get(key)).find((value) => typeof value === "string");
	const issueIds = [...entries.values()].filter((value) => Array.isArray(value)).flatMap((value) => value.slice(0, MAX_LIST_ITEMS)).map((member) => memberId(member)).filter((id) => id !== void 0);
	return title !== void 0 && issueIds.length > 0 ? {
		title,
		issueIds
	} : void 0;
}
function memberId(member) {
	if (typeof member === "string") return member;
	if (typeof member !== "object" || member === null) return void 0;
	const entries = new Map(Object.entries(member));
	return ["id", "issueId"].map((key) => entries.get(key)).find((value) => typeof value === "string");
}
const VersionItem = object({ versionGroupId: string() });
function countVersions(answer, versionGroupId) {
	const items = arrayIn(answer, "versions") ?? [];
	const grouped = items.filter((item) => is(VersionItem, item));
	const own = grouped.length === 0 ? items : grouped.filter((item) => item.versionGroupId === versionGroupId);
	return own.length === 0 ? void 0 : own.length;
}
function joinById(first, second) {
	const joined = new Map(second.map((issue) => [issue.id, issue]));
	for (const issue of first) joined.set(issue.id, worseOf(issue, joined.get(issue.id)));
	return [...joined.values()];
}
function worseOf(issue, other) {
	if (!other) return issue;
	const { severity, reportedSeverity } = severityRank(other.severity) < severityRank(issue.severity) ? other : issue;
	const status = opennessOf(other.status) < opennessOf(issue.status) ? other.status : issue.status;
	return {
		...issue,
		severity,
		reportedSeverity,
		status
	};
}
const LESS_THAN_OPEN = [
	"AWAITING_HUMAN_INPUT",
	"ACKNOWLEDGED",
	"RESOLVED",
	"DISMISSED"
];
function opennessOf(status) {
	return LESS_THAN_OPEN.indexOf(status.toUpperCase());
}
// src/inputs/reader.ts
var InputReader = class {
	#problems = [];
	#valueOf;
	constructor(valueOf) {
		this.#valueOf = valueOf;
	}
	text(name) {
		return this.#valueOf(name).trim() || DEFAULTS[name].trim();
	}
	get problems() {
		return this.#problems;
	}
	addProblem(problem) {
		this.#problems.push(problem);
	}
	reject(name, got, takes) {
		this.addProblem({
			reason: "bad-input",
			message: `Input \`${name}\` is ${got}${got.endsWith("?") ? "" : "."}`,
			fix: `\`${name}\` takes ${takes}.`
		});
	}
	oneOf(name, values) {
		return this.#choice(name, values, (each, value) => each === value);
	}
	anyCaseOf(name, values) {
		return this.#choice(name, values, (each, value) => each.toLowerCase() === value.toLowerCase());
	}
	#choice(name, values, isSame) {
		const value = this.text(name);
		const known = values.find((each) => isSame(each, value));
		if (known !== void 0) return known;
		const suggestion = nearest(value, values);
		const got = quoted(value) + (suggestion === void 0 ? "" : `: did you mean ${suggestion}?`);
		this.reject(name, got, listed(values));
		return values.find((each) => each === DEFAULTS[name]) ?? values[0];
	}
	flag(name) {
		const value = this.text(name);
		if (/^(true|True|TRUE|false|False|FALSE)$/.test(value)) return value.toLowerCase() === "true";
		const meant = /^(yes|on|1)$/i.test(value) ? "true" : /^(no|off|0)$/i.test(value) ? "false" : void 0;
		this.reject(name, `${quoted(value)}${meant ? `: did you mean ${meant}?` : ""}`, "`true` or `false`");
		return DEFAULTS[name] === "true";
	}
	integer(name, min, max) {
		const value = this.text(name);
		const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
		if (number >= min && number <= max) return number;
		this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
		return Number(DEFAULTS[name]);
	}
	optional(name, parse) {
		const value = this.text(name);
		return value === "" ? void 0 : parse(value);
	}
};
function quoted(value) {
	return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
function listed(values, word = "or") {
	const names = values.map((value) => `\`${value}\``);
	return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}
function nearest(value, values) {
	const [best] = values.map((each) => ({
		each,
		distance: editDistance(value.toLowerCase(), each.toLowerCase())
	})).toSorted((a, b) => a.distance - b.distance);
	return best && best.distance <= 2 ? best.each : void 0;
}
function editDistance(a, b) {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (const [index, letter] of a.slice(0, 100).split("").entries()) {
		const next = [index + 1];
		for (let at = 1; at <= b.length; at += 1) {
			const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
			next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
function items(text) {
	return text.split(/[,\n]/).map((item) => item.trim()).filter((item) => item !== "");
}
const MAX_LEVELS = 100;
function parseFlatJson(text) {
	const value = parseJson(text);
	return isDeeperThan(MAX_LEVELS, value) ? void 0 : value;
}
const JSON_TOKENS = /(?:\s*(?:"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|[{}[\],:]))*\s*/iuy;
function describeBadJson(text) {
	const position = badJsonAt(text);
	if (position === void 0) return "not valid JSON";
	const before = text.slice(0, position).split("\n");
	const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
	const rest = text.slice(position).trim();
	return rest === "" ? `not valid JSON: it ends too early, at ${place}` : `not valid JSON at ${place}: ${quoted(rest.slice(0, 20))}`;
}
function badJsonAt(text) {
	try {
		JSON.parse(text);
		return;
	} catch (error) {
		const message = error instanceof Error ? error.message : "";
		const [, position] = /at position (\d+)/.exec(message) ?? [];
		if (position !== void 0) return Number(position);
		if (message.includes("end of JSON")) return text.length;
		JSON_TOKENS.lastIndex = 0;
		const read = JSON_TOKENS.exec(text)?.[0].length ?? 0;
		return read === text.length ? void 0 : read;
	}
}
function isDeeperThan(levels, value) {
	if (typeof value !== "object" || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
// src/inputs/service-access.ts
const LIVE_KEY = /^sk_live_[0-9a-f]{64}$/i;
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;
function parseService(reader, missingKey) {
	const apiKey = reader.text("api-key");
	if (apiKey === "") {
		if (!missingKey) return void 0;
		reader.addProblem(missingKey);
	}
	const mode = parseKey(reader);
	const baseUrl = parseBaseUrl(reader);
	return mode && baseUrl ? {
		apiKey,
		mode,
		baseUrl
	} : void 0;
}
function parseKey(reader) {
	const key = reader.text("api-key");
	if (key === "") return void 0;
	if (LIVE_KEY.test(key)) return "live";
	if (SANDBOX_KEY.test(key)) return "sandbox";
	reader.addProblem({
		reason: "bad-input",
		...describeBadKey(key)
	});
}
function describeBadKey(key) {
	const length = `${key.length} characters, not shown`;
	if (/^(["'`]).*\1$/s.test(key)) return {
		message: `Input \`api-key\` is in quotation marks (${length}).`,
		fix: "Remove the quotation marks from the secret behind `api-key`, then re-run the job."
	};
	if (key.startsWith("sk_live_")) return {
		message: `Input \`api-key\` is a damaged live key (${length}).`,
		fix: "A live key is `sk_live_` and 64 hexadecimal characters, 72 in all. Copy the whole key into the secret again, then re-run the job."
	};
	return {
		message: `Input \`api-key\` is not a key of the service (${length}).`,
		fix: "A key is `sk_live_` and 64 hexadecimal characters, or begins with `sk_test_`. Check which secret is passed as `api-key`."
	};
}
function parseBaseUrl(reader) {
	const value = reader.text("base-url");
	const problem = baseUrlProblem(value);
	if (problem !== void 0) {
		reader.addProblem({
			reason: "bad-input",
			message: `Input \`base-url\` ${problem}.`,
			fix: "Set `base-url` to the service's address, such as `https://compliance.example.com`."
		});
		return;
	}
	const { origin, pathname } = new URL(value);
	const path = pathname.replace(/\/+$/, "");
	return origin + (/\/api\/(v\d+\/)?integrations$/.test(path) ? path : `${path}/api/integrations`);
}
function baseUrlProblem(value) {
	if (value === "") return "is not set";
	const url = URL.parse(value);
	if (value.includes("@")) return "must not contain a user name or password (its value is not shown)";
	if (!(url && (url.protocol === "https:" || url.protocol === "http:" && isLoopback(url.hostname)))) return `must begin with https:// (it is ${quoted(value.replace(/\?.*/s, "?…"))})`;
	return url.search || url.hash ? "must not contain a query or a fragment (its value is not shown)" : void 0;
}
const SKIP = "To skip such pull requests instead, a maintainer can set `if-no-api-key: skip`.";
const NOT_SET = {
	reason: "no-key",
	message: "There is no API key: the input `api-key` is empty.",
	fix: "Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name gives an empty value."
};
function missingKey(run) {
	const cause = withheld(run);
	return cause ? {
		...cause,
		fix: `${cause.fix} ${SKIP}`
	} : NOT_SET;
}
function skippedWithoutKey(run) {
	const cause = withheld(run);
	const fix = "Review these media by hand before you merge: the gate checks them only on a branch of this repository.";
	return cause ? {
		...cause,
		fix
	} : NOT_SET;
}
function withheld({ pullRequest, actor, event }) {
	const isTrusted = event === "pull_request_target" || event === "workflow_run";
	if (pullRequest?.isFork && !isTrusted) return {
		reason: "no-key",
		message: "There is no API key: GitHub gives no secrets to pull requests from forks.",
		fix: "The author of the pull request cannot fix this. A maintainer can push the branch to this repository, where the check has the key."
	};
	if (actor === "dependabot[bot]" && !isTrusted) return {
		reason: "no-key",
		message: "There is no API key: GitHub gives Dependabot only its own secrets.",
		fix: "Add the key to the repository's Dependabot secrets."
	};
	if (actor === "dependabot[bot]" && pullRequest?.isDependabot) return {
		reason: "no-key",
		message: "There is no API key: GitHub gives Dependabot no secrets in `pull_request_target`.",
		fix: "Run the gate on `pull_request` as well and add the key to the repository's Dependabot secrets."
	};
}
// src/inputs/parse.ts
const ISSUE_STATUSES = [
	"OPEN",
	"ACKNOWLEDGED",
	"AWAITING_HUMAN_INPUT",
	"RESOLVED",
	"DISMISSED"
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const GATE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MIN_STATE_KEY_LENGTH = 16;
function readInputs(valueOf, { missingKey, workspace, windows }) {
	const reader = new InputReader(valueOf);
	const dryRun = reader.flag("dry-run");
	const canRunWithoutKey = reader.oneOf("if-no-api-key", ["error", "skip"]) === "skip" || dryRun;
	const searchRoot = parseWorkingDirectory(reader, workspace);
	const inputs = {
		service: parseService(reader, canRunWithoutKey ? void 0 : missingKey),
		...parseFiles(reader, {
			searchRoot,
			windows
		}),
		policy: {
			failOnSeverity: reader.anyCaseOf("fail-on-severity", [...SEVERITIES, "never"]),
			failOnIssues: reader.oneOf("fail-on-issues", ["all", "new"]),
			ignoreStatuses: parseStatuses(reader),
			onServiceError: reader.oneOf("on-service-error", ["error", "warn"])
		},
		comment: reader.oneOf("comment", [
			"never",
			"on-failure",
			"always"
		]),
		onlyChanged: reader.flag("only-changed"),
		waiversFile: reader.optional("waivers-file", (value) => parseRepositoryPath(reader, "waivers-file", value)),
		searchRoot,
		ifNoFilesFound: reader.oneOf("if-no-files-found", [
			"warn",
			"error",
			"ignore"
		]),
		name: parseName(reader),
		reuseDays: reader.integer("reuse-days", 0, 3650),
		maxFiles: reader.integer("max-files", 1, 1e5),
		sidekickIds: reader.optional("sidekick-ids", (value) => parseUuids(reader, value)),
		metadata: parseMetadata(reader),
		uploadConcurrency: reader.integer("upload-concurrency", 1, 64),
		waitTimeoutMinutes: reader.integer("wait-timeout-minutes", 1, 4320),
		issueUrl: reader.optional("issue-url", (value) => parseIssueUrl(reader, value)),
		reportDir: reader.optional("report-dir", (value) => value),
		reportArtifact: reader.flag("report-artifact"),
		retentionDays: reader.optional("retention-days", () => reader.integer("retention-days", 1, 400)),
		stateFile: reader.optional("state-file", (value) => value),
		stateKey: reader.optional("state-key", (value) => parseStateKey(reader, value)),
		dryRun,
		githubToken: reader.text("github-token"),
		simulationDelaySeconds: reader.optional("simulation-delay-seconds", () => {
			refuseLiveKey(reader, "simulation-delay-seconds");
			return reader.integer("simulation-delay-seconds", 0, 30);
		}),
		...parseSandboxEvent(reader),
		matrix: parseMatrix(reader)
	};
	const { problems } = reader;
	if (problems.length > 0) return {
		inputs: {
			...inputs,
			service: void 0,
			comment: "never",
			reportArtifact: false
		},
		problems
	};
	return {
		inputs,
		problems
	};
}
function parseFiles(reader, root) {
	const lines = reader.text("files").split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
	if (lines.length === 0) reader.reject("files", "nothing but comments", "one pattern a line");
	else if (lines.every((line) => line.startsWith("!"))) reader.reject("files", "a list of exclusions only", "one pattern a line, at least one of them without a leading `!`");
	const files = [];
	for (const line of lines) try {
		files.push(parsePattern(line, root));
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		reader.reject("files", `${quoted(line)}, ${error.message}`, "relative patterns, such as `media/**/*.mp4`");
	}
	return {
		files,
		filesAreDefault: lines.join("\n") === DEFAULT_PATTERNS.join("\n")
	};
}
function parseName(reader) {
	const name = reader.text("name");
	if (GATE_NAME.test(name)) return name;
	reader.reject("name", quoted(name), "up to 64 letters, digits, `.`, `-` and `_`, beginning with a letter or digit");
	return DEFAULTS.name;
}
function parseStatuses(reader) {
	const statuses = items(reader.text("ignore-statuses")).map((status) => status.toUpperCase());
	if (statuses.join() === "NONE") return [];
	const unknown = statuses.filter((status) => !ISSUE_STATUSES.some((known) => known === status));
	if (unknown.length > 0) {
		const meant = new Set(unknown.map((status) => nearest(status, ISSUE_STATUSES)).filter((each) => each !== void 0));
		reader.reject("ignore-statuses", `${quoted(unknown.join(", "))}${meant.size > 0 ? `: did you mean ${[...meant].join(", ")}?` : ""}`, `any of ${listed(ISSUE_STATUSES, "and")}, or \`none\``);
	}
	return [...new Set(statuses)];
}
function parseUuids(reader, value) {
	const ids = items(value);
	const malformed = ids.filter((id) => !UUID.test(id));
	if (malformed.length > 0) reader.reject("sidekick-ids", quoted(malformed.join(", ")), "UUIDs, separated by commas or newlines");
	return [...new Set(ids.map((id) => id.toLowerCase()))];
}
function parseMetadata(reader) {
	const value = reader.text("metadata");
	if (value === "none") return "none";
	if (value === "") return {};
	const parsed = parseFlatJson(value);
	if (isJsonObject(parsed)) return parsed;
	const got = parsed === void 0 ? describeBadJson(value) : `${quoted(value)}, which is not a JSON object`;
	reader.reject("metadata", got, "a JSON object such as `{\"team\": \"legal\"}`, or `none` to send no metadata at all");
	return {};
}
function isJsonObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function parseIssueUrl(reader, value) {
	const known = ISSUE_URL_PLACEHOLDERS.map((name) => `{${name}}`);
	const placeholders = value.match(/\{[^}]*\}/g) ?? [];
	if (URL.parse(value.replaceAll(/\{[^}]*\}/g, "x"))?.protocol !== "https:" || placeholders.some((placeholder) => !known.includes(placeholder))) reader.reject("issue-url", quoted(value), `an https address with any of ${listed(known, "and")} in it`);
	return value;
}
function parseStateKey(reader, value) {
	if (value.length < MIN_STATE_KEY_LENGTH) {
		const got = `too short (${value.length} characters, not shown)`;
		reader.reject("state-key", got, `a secret of at least ${MIN_STATE_KEY_LENGTH} characters`);
	}
	return value;
}
function parseMatrix(reader) {
	const value = reader.text("matrix");
	const matrix = value === "" ? null : parseFlatJson(value);
	if (matrix === void 0) reader.reject("matrix", quoted(value), "the JSON of `toJSON(matrix)`: leave it to its default");
	return matrix === null || matrix === void 0 ? "" : JSON.stringify(matrix);
}
function parseWorkingDirectory(reader, workspace) {
	const value = reader.text("working-directory");
	const folder = external_node_path_namespaceObject.resolve(workspace, value);
	const problem = value === "" ? void 0 : folderProblem(folder, workspace);
	if (problem !== void 0) reader.reject("working-directory", `${quoted(value)}, ${problem}`, "a folder inside the workspace, such as the `path` of `actions/checkout`");
	return value === "" || problem !== void 0 ? workspace : folder;
}
function folderProblem(folder, workspace) {
	try {
		const fromWorkspace = external_node_path_namespaceObject.relative((0,external_node_fs_.realpathSync)(workspace), (0,external_node_fs_.realpathSync)(folder));
		if (fromWorkspace.split(external_node_path_namespaceObject.sep)[0] === ".." || external_node_path_namespaceObject.isAbsolute(fromWorkspace)) return "which is outside the workspace";
		return (0,external_node_fs_.statSync)(folder).isDirectory() ? void 0 : "which is not a folder";
	} catch {
		return "which does not exist";
	}
}
function parseRepositoryPath(reader, name, value) {
	const relative = value.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
	if (relative.startsWith("/") || /^[A-Za-z]:/.test(relative) || relative.split("/").includes("..")) reader.reject(name, quoted(value), "a path inside the repository, relative to its root");
	return relative;
}
function parseSandboxEvent(reader) {
	const sandboxEvent = reader.optional("sandbox-event", () => {
		refuseLiveKey(reader, "sandbox-event");
		return reader.oneOf("sandbox-event", ["asset.processing.completed", "asset.processing.failed"]);
	});
	const sandboxErrorMessage = reader.optional("sandbox-error-message", (value) => value);
	if (sandboxErrorMessage !== void 0 && sandboxEvent !== "asset.processing.failed") reader.reject("sandbox-error-message", "set without its event", "a text only beside `sandbox-event: asset.processing.failed`");
	return {
		sandboxEvent,
		sandboxErrorMessage
	};
}
function refuseLiveKey(reader, name) {
	if (!reader.text("api-key").startsWith("sk_live_")) return;
	reader.reject(name, "set with a live key", "a value only with a sandbox key (`sk_test_…`)");
}
// src/media/checkout.ts
const HEAD_REF = {
	pull_request_target: "${{ github.event.pull_request.head.sha }}",
	workflow_run: "${{ github.event.workflow_run.head_sha }}"
};
async function assertHeadCheckedOut(discovery, run, commits) {
	const { event, followedEvent, pullRequest, searchRoot } = run;
	const ref = HEAD_REF[event];
	if (ref === void 0 || event === "workflow_run" && !pullRequest) return;
	if (event === "workflow_run" && followedEvent === "pull_request_target") throw commitNotKnown();
	const fix = checkoutAdvice(ref, pullRequest?.isFork ?? true);
	const fail = (message, file) => new GateError({
		reason: "checkout",
		message,
		fix,
		...file !== void 0 && { path: file }
	});
	if (!pullRequest) throw fail("The event does not name the pull request that is to be checked.");
	if (discovery.files.length === 0) {
		const problem = await problemOfAllCheckouts(searchRoot, pullRequest, commits);
		if (problem !== void 0) throw fail(problem);
		return;
	}
	const checkouts = new Map();
	const findCheckout = createCheckoutFinder(searchRoot);
	for (const file of discovery.files) {
		const checkout = await findCheckout(external_node_path_namespaceObject.posix.dirname(file.path));
		if (!checkout) throw fail("The file is not in a Git checkout, so its commit is unknown.", file.path);
		checkouts.set(checkout.folder, checkout);
	}
	for (const checkout of checkouts.values()) {
		const problem = await checkoutProblem(checkout, pullRequest, commits);
		if (problem !== void 0) throw fail(problem);
	}
}
function checkoutAdvice(ref, isFork) {
	return `Before this step, check out the pull request: \`actions/checkout\` with \`ref: ${ref}\`${isFork ? " and `allow-unsafe-pr-checkout: true`" : ""}. This job has secrets, so run nothing from that checkout: no build, no install, no script.`;
}
function commitNotKnown() {
	return new GateError({
		reason: "checkout",
		message: "This `workflow_run` follows a run of `pull_request_target`, and for that GitHub does not name the pull request's commit.",
		fix: "Run the gate in the `pull_request_target` workflow itself, or let `workflow_run` follow a workflow that runs on `pull_request`."
	});
}
async function problemOfAllCheckouts(searchRoot, pullRequest, commits) {
	const places = [searchRoot, ...(await (0,promises_namespaceObject.readdir)(searchRoot, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => external_node_path_namespaceObject.join(searchRoot, name))];
	const problems = [];
	for (const place of places) {
		const checkout = await checkoutAt(place);
		if (!checkout) continue;
		const problem = await checkoutProblem(checkout, pullRequest, commits);
		if (problem === void 0) return void 0;
		problems.push(problem);
	}
	return problems[0] ?? "There is no Git checkout in the workspace, so its commit is unknown.";
}
function createCheckoutFinder(searchRoot) {
	const known = new Map();
	const look = async (folder) => await checkoutAt(external_node_path_namespaceObject.join(searchRoot, folder)) ?? (folder === "." ? void 0 : await find(external_node_path_namespaceObject.posix.dirname(folder)));
	const find = async (folder) => {
		const found = known.get(folder) ?? look(folder);
		known.set(folder, found);
		return await found;
	};
	return find;
}
async function checkoutProblem(checkout, { headSha }, commits) {
	const head = await headOf(checkout);
	if (head === void 0) return "The commit that is checked out cannot be read from the Git files in the workspace.";
	if (head === headSha) return void 0;
	const wrong = `The workspace holds commit ${head.slice(0, 7)}, which is neither the head of the pull request (${headSha.slice(0, 7)}) nor its merge with the base`;
	try {
		const [, merged, ...more] = await commits.parentsOf(head);
		return merged === headSha && more.length === 0 ? void 0 : `${wrong}.`;
	} catch (error) {
		if (!(error instanceof GitHubError)) throw error;
		return error.trouble === "not-found" ? `${wrong}.` : `The workspace holds commit ${head.slice(0, 7)}, and it is not known whether that is the merge of the pull request. ${error.message}`;
	}
}
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
async function checkoutAt(folder) {
	const dotGit = external_node_path_namespaceObject.join(folder, ".git");
	const found = await (0,promises_namespaceObject.stat)(dotGit).catch(() => void 0);
	if (!found) return void 0;
	if (found.isDirectory()) return {
		folder,
		gitDirectory: dotGit
	};
	const target = /^gitdir: (.+)$/m.exec(await readTextOrEmpty(dotGit))?.[1]?.trim();
	const isWorktree = /[\\/]worktrees[\\/][^\\/]+$/.test(target ?? "");
	if (target === void 0 || !isWorktree && /[\\/]modules[\\/]/.test(target)) return void 0;
	return {
		folder,
		gitDirectory: external_node_path_namespaceObject.resolve(folder, target)
	};
}
async function headOf({ gitDirectory }) {
	const head = (await readTextOrEmpty(external_node_path_namespaceObject.join(gitDirectory, "HEAD"))).trim();
	if (COMMIT.test(head)) return head;
	const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
	if (ref === void 0) return void 0;
	const shared = (await readTextOrEmpty(external_node_path_namespaceObject.join(gitDirectory, "commondir"))).trim();
	const home = shared === "" ? gitDirectory : external_node_path_namespaceObject.resolve(gitDirectory, shared);
	const loose = (await readTextOrEmpty(external_node_path_namespaceObject.join(home, ref))).trim();
	if (COMMIT.test(loose)) return loose;
	return (await readTextOrEmpty(external_node_path_namespaceObject.join(home, "packed-refs"))).split("\n").find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}
async function readTextOrEmpty(file) {
	return await (0,promises_namespaceObject.readFile)(file, "utf8").catch(() => "");
}
// node_modules/@actions/glob/lib/internal-glob-options-helper.js
function getOptions(copy) {
	const result = {
		followSymbolicLinks: true,
		implicitDescendants: true,
		matchDirectories: true,
		omitBrokenSymbolicLinks: true,
		excludeHiddenFiles: false
	};
	if (copy) {
		if (typeof copy.followSymbolicLinks === "boolean") {
			result.followSymbolicLinks = copy.followSymbolicLinks;
			debug$1(`followSymbolicLinks '${result.followSymbolicLinks}'`);
		}
		if (typeof copy.implicitDescendants === "boolean") {
			result.implicitDescendants = copy.implicitDescendants;
			debug$1(`implicitDescendants '${result.implicitDescendants}'`);
		}
		if (typeof copy.matchDirectories === "boolean") {
			result.matchDirectories = copy.matchDirectories;
			debug$1(`matchDirectories '${result.matchDirectories}'`);
		}
		if (typeof copy.omitBrokenSymbolicLinks === "boolean") {
			result.omitBrokenSymbolicLinks = copy.omitBrokenSymbolicLinks;
			debug$1(`omitBrokenSymbolicLinks '${result.omitBrokenSymbolicLinks}'`);
		}
		if (typeof copy.excludeHiddenFiles === "boolean") {
			result.excludeHiddenFiles = copy.excludeHiddenFiles;
			debug$1(`excludeHiddenFiles '${result.excludeHiddenFiles}'`);
		}
	}
	return result;
}
// node_modules/@actions/glob/lib/internal-path-helper.js
const IS_WINDOWS$4 = process.platform === "win32";
function dirname(p) {
	p = safeTrimTrailingSeparator(p);
	if (IS_WINDOWS$4 && /^\\\\[^\\]+(\\[^\\]+)?$/.test(p)) return p;
	let result = external_path_.dirname(p);
	if (IS_WINDOWS$4 && /^\\\\[^\\]+\\[^\\]+\\$/.test(result)) result = safeTrimTrailingSeparator(result);
	return result;
}
function ensureAbsoluteRoot(root, itemPath) {
	external_assert_namespaceObject(root, `ensureAbsoluteRoot parameter 'root' must not be empty`);
	external_assert_namespaceObject(itemPath, `ensureAbsoluteRoot parameter 'itemPath' must not be empty`);
	if (hasAbsoluteRoot(itemPath)) return itemPath;
	if (IS_WINDOWS$4) {
		if (itemPath.match(/^[A-Z]:[^\\/]|^[A-Z]:$/i)) {
			let cwd = process.cwd();
			external_assert_namespaceObject(cwd.match(/^[A-Z]:\\/i), `Expected current directory to start with an absolute drive root. Actual '${cwd}'`);
			if (itemPath[0].toUpperCase() === cwd[0].toUpperCase()) {
				if (itemPath.length === 2) return `${itemPath[0]}:\\${cwd.substr(3)}`;
				else {
					if (!cwd.endsWith("\\")) cwd += "\\";
					return `${itemPath[0]}:\\${cwd.substr(3)}${itemPath.substr(2)}`;
				}
			} else return `${itemPath[0]}:\\${itemPath.substr(2)}`;
		} else if (normalizeSeparators(itemPath).match(/^\\$|^\\[^\\]/)) {
			const cwd = process.cwd();
			external_assert_namespaceObject(cwd.match(/^[A-Z]:\\/i), `Expected current directory to start with an absolute drive root. Actual '${cwd}'`);
			return `${cwd[0]}:\\${itemPath.substr(1)}`;
		}
	}
	external_assert_namespaceObject(hasAbsoluteRoot(root), `ensureAbsoluteRoot parameter 'root' must have an absolute root`);
	if (root.endsWith("/") || IS_WINDOWS$4 && root.endsWith("\\")) {} else root += external_path_.sep;
	return root + itemPath;
}
function hasAbsoluteRoot(itemPath) {
	external_assert_namespaceObject(itemPath, `hasAbsoluteRoot parameter 'itemPath' must not be empty`);
	itemPath = normalizeSeparators(itemPath);
	if (IS_WINDOWS$4) return itemPath.startsWith("\\\\") || /^[A-Z]:\\/i.test(itemPath);
	return itemPath.startsWith("/");
}
function hasRoot(itemPath) {
	external_assert_namespaceObject(itemPath, `isRooted parameter 'itemPath' must not be empty`);
	itemPath = normalizeSeparators(itemPath);
	if (IS_WINDOWS$4) return itemPath.startsWith("\\") || /^[A-Z]:/i.test(itemPath);
	return itemPath.startsWith("/");
}
function normalizeSeparators(p) {
	p = p || "";
	if (IS_WINDOWS$4) {
		p = p.replace(/\//g, "\\");
		return (/^\\\\+[^\\]/.test(p) ? "\\" : "") + p.replace(/\\\\+/g, "\\");
	}
	return p.replace(/\/\/+/g, "/");
}
function safeTrimTrailingSeparator(p) {
	if (!p) return "";
	p = normalizeSeparators(p);
	if (!p.endsWith(external_path_.sep)) return p;
	if (p === external_path_.sep) return p;
	if (IS_WINDOWS$4 && /^[A-Z]:\\$/i.test(p)) return p;
	return p.substr(0, p.length - 1);
}
// node_modules/@actions/glob/lib/internal-match-kind.js
var MatchKind;
(function(MatchKind) {
	MatchKind[MatchKind["None"] = 0] = "None";
	MatchKind[MatchKind["Directory"] = 1] = "Directory";
	MatchKind[MatchKind["File"] = 2] = "File";
	MatchKind[MatchKind["All"] = 3] = "All";
})(MatchKind || (MatchKind = {}));
// node_modules/@actions/glob/lib/internal-pattern-helper.js
const IS_WINDOWS$3 = process.platform === "win32";
function getSearchPaths(patterns) {
	patterns = patterns.filter((x) => !x.negate);
	const searchPathMap = {};
	for (const pattern of patterns) {
		const key = IS_WINDOWS$3 ? pattern.searchPath.toUpperCase() : pattern.searchPath;
		searchPathMap[key] = "candidate";
	}
	const result = [];
	for (const pattern of patterns) {
		const key = IS_WINDOWS$3 ? pattern.searchPath.toUpperCase() : pattern.searchPath;
		if (searchPathMap[key] === "included") continue;
		let foundAncestor = false;
		let tempKey = key;
		let parent = dirname(tempKey);
		while (parent !== tempKey) {
			if (searchPathMap[parent]) {
				foundAncestor = true;
				break;
			}
			tempKey = parent;
			parent = dirname(tempKey);
		}
		if (!foundAncestor) {
			result.push(pattern.searchPath);
			searchPathMap[key] = "included";
		}
	}
	return result;
}
function match(patterns, itemPath) {
	let result = MatchKind.None;
	for (const pattern of patterns) if (pattern.negate) result &= ~pattern.match(itemPath);
	else result |= pattern.match(itemPath);
	return result;
}
function partialMatch(patterns, itemPath) {
	return patterns.some((x) => !x.negate && x.partialMatch(itemPath));
}
// node_modules/@actions/glob/lib/internal-path.js
const IS_WINDOWS$2 = process.platform === "win32";
var Path = class {
	constructor(itemPath) {
		this.segments = [];
		if (typeof itemPath === "string") {
			external_assert_namespaceObject(itemPath, `Parameter 'itemPath' must not be empty`);
			itemPath = safeTrimTrailingSeparator(itemPath);
			if (!hasRoot(itemPath)) this.segments = itemPath.split(external_path_.sep);
			else {
				let remaining = itemPath;
				let dir = dirname(remaining);
				while (dir !== remaining) {
					const basename = external_path_.basename(remaining);
					this.segments.unshift(basename);
					remaining = dir;
					dir = dirname(remaining);
				}
				this.segments.unshift(remaining);
			}
		} else {
			external_assert_namespaceObject(itemPath.length > 0, `Parameter 'itemPath' must not be an empty array`);
			for (let i = 0; i < itemPath.length; i++) {
				let segment = itemPath[i];
				external_assert_namespaceObject(segment, `Parameter 'itemPath' must not contain any empty segments`);
				segment = normalizeSeparators(itemPath[i]);
				if (i === 0 && hasRoot(segment)) {
					segment = safeTrimTrailingSeparator(segment);
					external_assert_namespaceObject(segment === dirname(segment), `Parameter 'itemPath' root segment contains information for multiple segments`);
					this.segments.push(segment);
				} else {
					external_assert_namespaceObject(!segment.includes(external_path_.sep), `Parameter 'itemPath' contains unexpected path separators`);
					this.segments.push(segment);
				}
			}
		}
	}
	toString() {
		let result = this.segments[0];
		let skipSlash = result.endsWith(external_path_.sep) || IS_WINDOWS$2 && /^[A-Z]:$/i.test(result);
		for (let i = 1; i < this.segments.length; i++) {
			if (skipSlash) skipSlash = false;
			else result += external_path_.sep;
			result += this.segments[i];
		}
		return result;
	}
};
// node_modules/@actions/glob/lib/internal-pattern.js
const IS_WINDOWS$1 = process.platform === "win32";
var Pattern = class Pattern {
	constructor(patternOrNegate, isImplicitPattern = false, segments, homedir) {
		this.negate = false;
		let pattern;
		if (typeof patternOrNegate === "string") pattern = patternOrNegate.trim();
		else {
			segments = segments || [];
			external_assert_namespaceObject(segments.length, `Parameter 'segments' must not empty`);
			const root = Pattern.getLiteral(segments[0]);
			external_assert_namespaceObject(root && hasAbsoluteRoot(root), `Parameter 'segments' first element must be a root path`);
			pattern = new Path(segments).toString().trim();
			if (patternOrNegate) pattern = `!${pattern}`;
		}
		while (pattern.startsWith("!")) {
			this.negate = !this.negate;
			pattern = pattern.substr(1).trim();
		}
		pattern = Pattern.fixupPattern(pattern, homedir);
		this.segments = new Path(pattern).segments;
		this.trailingSeparator = normalizeSeparators(pattern).endsWith(external_path_.sep);
		pattern = safeTrimTrailingSeparator(pattern);
		let foundGlob = false;
		const searchSegments = this.segments.map((x) => Pattern.getLiteral(x)).filter((x) => !foundGlob && !(foundGlob = x === ""));
		this.searchPath = new Path(searchSegments).toString();
		this.rootRegExp = new RegExp(Pattern.regExpEscape(searchSegments[0]), IS_WINDOWS$1 ? "i" : "");
		this.isImplicitPattern = isImplicitPattern;
		const minimatchOptions = {
			dot: true,
			nobrace: true,
			nocase: IS_WINDOWS$1,
			nocomment: true,
			noext: true,
			nonegate: true
		};
		pattern = IS_WINDOWS$1 ? pattern.replace(/\\/g, "/") : pattern;
		this.minimatch = new Minimatch(pattern, minimatchOptions);
	}
	match(itemPath) {
		if (this.segments[this.segments.length - 1] === "**") {
			itemPath = normalizeSeparators(itemPath);
			if (!itemPath.endsWith(external_path_.sep) && this.isImplicitPattern === false) itemPath = `${itemPath}${external_path_.sep}`;
		} else itemPath = safeTrimTrailingSeparator(itemPath);
		if (this.minimatch.match(itemPath)) return this.trailingSeparator ? MatchKind.Directory : MatchKind.All;
		return MatchKind.None;
	}
	partialMatch(itemPath) {
		itemPath = safeTrimTrailingSeparator(itemPath);
		if (dirname(itemPath) === itemPath) return this.rootRegExp.test(itemPath);
		return this.minimatch.matchOne(itemPath.split(IS_WINDOWS$1 ? /\\+/ : /\/+/), this.minimatch.set[0], true);
	}
	static globEscape(s) {
		return (IS_WINDOWS$1 ? s : s.replace(/\\/g, "\\\\")).replace(/(\[)(?=[^/]+\])/g, "[[]").replace(/\?/g, "[?]").replace(/\*/g, "[*]");
	}
	static fixupPattern(pattern, homedir) {
		external_assert_namespaceObject(pattern, "pattern cannot be empty");
		const literalSegments = new Path(pattern).segments.map((x) => Pattern.getLiteral(x));
		external_assert_namespaceObject(literalSegments.every((x, i) => (x !== "." || i === 0) && x !== ".."), `Invalid pattern '${pattern}'. Relative pathing '.' and '..' is not allowed.`);
		external_assert_namespaceObject(!hasRoot(pattern) || literalSegments[0], `Invalid pattern '${pattern}'. Root segment must not contain globs.`);
		pattern = normalizeSeparators(pattern);
		if (pattern === "." || pattern.startsWith(`.${external_path_.sep}`)) pattern = Pattern.globEscape(process.cwd()) + pattern.substr(1);
		else if (pattern === "~" || pattern.startsWith(`~${external_path_.sep}`)) {
			homedir = homedir || external_os_.homedir();
			external_assert_namespaceObject(homedir, "Unable to determine HOME directory");
			external_assert_namespaceObject(hasAbsoluteRoot(homedir), `Expected HOME directory to be a rooted path. Actual '${homedir}'`);
			pattern = Pattern.globEscape(homedir) + pattern.substr(1);
		} else if (IS_WINDOWS$1 && (pattern.match(/^[A-Z]:$/i) || pattern.match(/^[A-Z]:[^\\]/i))) {
			let root = ensureAbsoluteRoot("C:\\dummy-root", pattern.substr(0, 2));
			if (pattern.length > 2 && !root.endsWith("\\")) root += "\\";
			pattern = Pattern.globEscape(root) + pattern.substr(2);
		} else if (IS_WINDOWS$1 && (pattern === "\\" || pattern.match(/^\\[^\\]/))) {
			let root = ensureAbsoluteRoot("C:\\dummy-root", "\\");
			if (!root.endsWith("\\")) root += "\\";
			pattern = Pattern.globEscape(root) + pattern.substr(1);
		} else pattern = ensureAbsoluteRoot(Pattern.globEscape(process.cwd()), pattern);
		return normalizeSeparators(pattern);
	}
	static getLiteral(segment) {
		let literal = "";
		for (let i = 0; i < segment.length; i++) {
			const c = segment[i];
			if (c === "\\" && !IS_WINDOWS$1 && i + 1 < segment.length) {
				literal += segment[++i];
				continue;
			} else if (c === "*" || c === "?") return "";
			else if (c === "[" && i + 1 < segment.length) {
				let set = "";
				let closed = -1;
				for (let i2 = i + 1; i2 < segment.length; i2++) {
					const c2 = segment[i2];
					if (c2 === "\\" && !IS_WINDOWS$1 && i2 + 1 < segment.length) {
						set += segment[++i2];
						continue;
					} else if (c2 === "]") {
						closed = i2;
						break;
					} else set += c2;
				}
				if (closed >= 0) {
					if (set.length > 1) return "";
					if (set) {
						literal += set;
						i = closed;
						continue;
					}
				}
			}
			literal += c;
		}
		return literal;
	}
	static regExpEscape(s) {
		return s.replace(/[[\\^$.|?*+()]/g, "\\$&");
	}
};
// node_modules/@actions/glob/lib/internal-search-state.js
var SearchState = class {
	constructor(path, level) {
		this.path = path;
		this.level = level;
	}
};
// node_modules/@actions/glob/lib/internal-globber.js
var __awaiter$1 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var __asyncValues = function(o) {
	if (!Symbol.asyncIterator) throw new TypeError("Symbol.asyncIterator is not defined.");
	var m = o[Symbol.asyncIterator], i;
	return m ? m.call(o) : (o = typeof __values === "function" ? __values(o) : o[Symbol.iterator](), i = {}, verb("next"), verb("throw"), verb("return"), i[Symbol.asyncIterator] = function() {
		return this;
	}, i);
	function verb(n) {
		i[n] = o[n] && function(v) {
			return new Promise(function(resolve, reject) {
				v = o[n](v), settle(resolve, reject, v.done, v.value);
			});
		};
	}
	function settle(resolve, reject, d, v) {
		Promise.resolve(v).then(function(v) {
			resolve({
				value: v,
				done: d
			});
		}, reject);
	}
};
var __await = function(v) {
	return this instanceof __await ? (this.v = v, this) : new __await(v);
};
var __asyncGenerator = function(thisArg, _arguments, generator) {
	if (!Symbol.asyncIterator) throw new TypeError("Symbol.asyncIterator is not defined.");
	var g = generator.apply(thisArg, _arguments || []), i, q = [];
	return i = Object.create((typeof AsyncIterator === "function" ? AsyncIterator : Object).prototype), verb("next"), verb("throw"), verb("return", awaitReturn), i[Symbol.asyncIterator] = function() {
		return this;
	}, i;
	function awaitReturn(f) {
		return function(v) {
			return Promise.resolve(v).then(f, reject);
		};
	}
	function verb(n, f) {
		if (g[n]) {
			i[n] = function(v) {
				return new Promise(function(a, b) {
					q.push([
						n,
						v,
						a,
						b
					]) > 1 || resume(n, v);
				});
			};
			if (f) i[n] = f(i[n]);
		}
	}
	function resume(n, v) {
		try {
			step(g[n](v));
		} catch (e) {
			settle(q[0][3], e);
		}
	}
	function step(r) {
		r.value instanceof __await ? Promise.resolve(r.value.v).then(fulfill, reject) : settle(q[0][2], r);
	}
	function fulfill(value) {
		resume("next", value);
	}
	function reject(value) {
		resume("throw", value);
	}
	function settle(f, v) {
		if (f(v), q.shift(), q.length) resume(q[0][0], q[0][1]);
	}
};
const IS_WINDOWS = process.platform === "win32";
var DefaultGlobber = class DefaultGlobber {
	constructor(options) {
		this.patterns = [];
		this.searchPaths = [];
		this.options = getOptions(options);
	}
	getSearchPaths() {
		return this.searchPaths.slice();
	}
	glob() {
		return __awaiter$1(this, void 0, void 0, function* () {
			var _a, e_1, _b, _c;
			const result = [];
			try {
				for (var _d = true, _e = __asyncValues(this.globGenerator()), _f; _f = yield _e.next(), _a = _f.done, !_a; _d = true) {
					_c = _f.value;
					_d = false;
					const itemPath = _c;
					result.push(itemPath);
				}
			} catch (e_1_1) {
				e_1 = { error: e_1_1 };
			} finally {
				try {
					if (!_d && !_a && (_b = _e.return)) yield _b.call(_e);
				} finally {
					if (e_1) throw e_1.error;
				}
			}
			return result;
		});
	}
	globGenerator() {
		return __asyncGenerator(this, arguments, function* globGenerator_1() {
			const options = getOptions(this.options);
			const patterns = [];
			for (const pattern of this.patterns) {
				patterns.push(pattern);
				if (options.implicitDescendants && (pattern.trailingSeparator || pattern.segments[pattern.segments.length - 1] !== "**")) patterns.push(new Pattern(pattern.negate, true, pattern.segments.concat("**")));
			}
			const stack = [];
			for (const searchPath of getSearchPaths(patterns)) {
				debug$1(`Search path '${searchPath}'`);
				try {
					yield __await(external_fs_.promises.lstat(searchPath));
				} catch (err) {
					if (err.code === "ENOENT") continue;
					throw err;
				}
				stack.unshift(new SearchState(searchPath, 1));
			}
			const traversalChain = [];
			while (stack.length) {
				const item = stack.pop();
				const match$2 = match(patterns, item.path);
				const partialMatch$1 = !!match$2 || partialMatch(patterns, item.path);
				if (!match$2 && !partialMatch$1) continue;
				const stats = yield __await(DefaultGlobber.stat(item, options, traversalChain));
				if (!stats) continue;
				if (options.excludeHiddenFiles && external_path_.basename(item.path).match(/^\./)) continue;
				if (stats.isDirectory()) {
					if (match$2 & MatchKind.Directory && options.matchDirectories) yield yield __await(item.path);
					else if (!partialMatch$1) continue;
					const childLevel = item.level + 1;
					const childItems = (yield __await(external_fs_.promises.readdir(item.path))).map((x) => new SearchState(external_path_.join(item.path, x), childLevel));
					stack.push(...childItems.reverse());
				} else if (match$2 & MatchKind.File) yield yield __await(item.path);
			}
		});
	}
	static create(patterns, options) {
		return __awaiter$1(this, void 0, void 0, function* () {
			const result = new DefaultGlobber(options);
			if (IS_WINDOWS) {
				patterns = patterns.replace(/\r\n/g, "\n");
				patterns = patterns.replace(/\r/g, "\n");
			}
			const lines = patterns.split("\n").map((x) => x.trim());
			for (const line of lines) if (!line || line.startsWith("#")) continue;
			else result.patterns.push(new Pattern(line));
			result.searchPaths.push(...getSearchPaths(result.patterns));
			return result;
		});
	}
	static stat(item, options, traversalChain) {
		return __awaiter$1(this, void 0, void 0, function* () {
			let stats;
			if (options.followSymbolicLinks) try {
				stats = yield external_fs_.promises.stat(item.path);
			} catch (err) {
				if (err.code === "ENOENT") {
					if (options.omitBrokenSymbolicLinks) {
						debug$1(`Broken symlink '${item.path}'`);
						return;
					}
					throw new Error(`No information found for the path '${item.path}'. This may indicate a broken symbolic link.`);
				}
				throw err;
			}
			else stats = yield external_fs_.promises.lstat(item.path);
			if (stats.isDirectory() && options.followSymbolicLinks) {
				const realPath = yield external_fs_.promises.realpath(item.path);
				while (traversalChain.length >= item.level) traversalChain.pop();
				if (traversalChain.some((x) => x === realPath)) {
					debug$1(`Symlink cycle detected for path '${item.path}' and realpath '${realPath}'`);
					return;
				}
				traversalChain.push(realPath);
			}
			return stats;
		});
	}
};
// node_modules/@actions/glob/lib/glob.js
var __awaiter = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
function create(patterns, options) {
	return __awaiter(this, void 0, void 0, function* () {
		return yield DefaultGlobber.create(patterns, options);
	});
}
// src/lib/concurrently.ts
async function concurrently(items, limit, work) {
	const results = [];
	results.length = items.length;
	const queue = items.entries();
	const stop = new AbortController();
	let failure;
	const worker = async (_, lane) => {
		for (const [index, item] of queue) {
			if (failure) return;
			try {
				results[index] = await work(item, stop.signal, lane);
			} catch (error) {
				failure ??= { error };
				stop.abort(error);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
	if (failure) throw failure.error;
	return results;
}
// src/media/match.ts
const SKIPPED_FOLDERS = new Set([".git", "node_modules"]);
var PathMatcher = class {
	#lines;
	#folders = new Map();
	constructor(lines) {
		this.#lines = lines;
		const start = new ProgressBuilder();
		for (const [line, { alternatives }] of lines.entries()) for (const segments of alternatives) start.add({
			line,
			segments,
			at: 0
		});
		this.#folders.set("", start.build(lines));
	}
	selects(path) {
		return this.isSelectedBy(this.linesMatching(path));
	}
	isSelectedBy(matching) {
		return this.#isPositive(Math.max(-1, ...matching));
	}
	linesMatching(path) {
		const [folder, rawName] = splitPath(path);
		const { cursors, covering } = this.#progressAt(folder);
		if (cursors.length === 0 && covering.length === 0) return [];
		const name = nameOf$1(rawName);
		const matching = covering.filter((line) => this.#canEnter(line, name));
		for (const { line, segments, at } of cursors) {
			if (at !== segments.length - 1 || !segments[at]?.matchesFile(name)) continue;
			if (this.#canEnter(line, name)) matching.push(line);
		}
		return matching;
	}
	canSelectUnder(folder) {
		const { cursors, covering } = this.#progressAt(folder);
		return covering.some((line) => this.#isPositive(line)) || cursors.some(({ line }) => this.#isPositive(line));
	}
	needsSubfolder(folder) {
		const { cursors, covering } = this.#progressAt(folder);
		if (covering.some((line) => this.#isPositive(line))) return false;
		return cursors.filter(({ line }) => this.#isPositive(line)).every(({ segments, at }) => at < segments.length - 1 && !segments[at]?.anyDepth);
	}
	linesOverruledAt(folder) {
		return this.#progressAt(folder).overruled;
	}
	#progressAt(folder) {
		const known = this.#folders.get(folder);
		if (known) return known;
		const [parent, rawName] = splitPath(folder);
		const from = this.#progressAt(parent);
		const name = nameOf$1(rawName);
		const next = new ProgressBuilder();
		for (const line of from.covering) if (this.#canEnter(line, name)) next.cover(line);
		for (const cursor of from.cursors) {
			if (!this.#canEnter(cursor.line, name)) continue;
			const segment = cursor.segments[cursor.at];
			if (segment?.anyDepth) next.add(cursor);
			else if (segment?.matches(name)) next.add({
				...cursor,
				at: cursor.at + 1
			});
		}
		const progress = next.build(this.#lines);
		this.#folders.set(folder, progress);
		return progress;
	}
	#canEnter(index, { text }) {
		const line = this.#lines[index];
		if (!SKIPPED_FOLDERS.has(text) || line === void 0 || line.exclude) return true;
		return line.alternatives.some((segments) => segments.some((segment) => segment.text === text));
	}
	#isPositive(line) {
		return this.#lines[line]?.exclude === false;
	}
};
function selects(lines, path) {
	return new PathMatcher(lines).selects(path);
}
function linesSelecting(lines, paths) {
	const matcher = new PathMatcher(lines);
	return new Set(paths.flatMap((path) => matcher.linesMatching(path)));
}
function splitPath(path) {
	const slash = path.lastIndexOf("/");
	return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}
var ProgressBuilder = class {
	#cursors = [];
	#covering = new Set();
	#seen = new Map();
	cover(line) {
		this.#covering.add(line);
	}
	add(cursor) {
		const { line, segments, at } = cursor;
		if (at === segments.length) {
			this.cover(line);
			return;
		}
		const places = this.#seen.get(segments) ?? new Set();
		if (places.has(at)) return;
		this.#seen.set(segments, places.add(at));
		this.#cursors.push(cursor);
		if (segments[at]?.anyDepth) this.add({
			...cursor,
			at: at + 1
		});
	}
	build(lines) {
		const isPositive = (line) => lines[line]?.exclude === false;
		const lastExclude = Math.max(-1, ...[...this.#covering].filter((line) => !isPositive(line)));
		const all = new Set([...this.#covering, ...this.#cursors.map(({ line }) => line)]);
		return {
			cursors: this.#cursors.filter(({ line }) => line >= lastExclude && !this.#covering.has(line)),
			covering: [...this.#covering].filter((line) => line >= lastExclude),
			overruled: [...all].filter((line) => line < lastExclude && isPositive(line))
		};
	}
};
// src/media/discover.ts
const MAX_LINKS_NAMED = 10;
async function discover(lines, searchRoot, options = {}) {
	await assertCheckedOut(searchRoot);
	const found = await findFiles(searchRoot, lines, options.signal);
	return {
		files: found.files.map((file) => ({
			path: file,
			absolutePath: external_node_path_namespaceObject.join(searchRoot, file)
		})),
		notices: [...options.isDefault ? [] : unmatchedNotices(lines, found), ...linkNotices(found)]
	};
}
function unmatchedNotices(lines, { matchedLines }) {
	if (lines.every(({ exclude }) => exclude)) return ["Every line of the input `files` excludes, so no file can match."];
	return lines.filter(({ exclude }, line) => !exclude && !matchedLines.has(line)).map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`);
}
function linkNotices({ links }) {
	if (links.length === 0) return [];
	return [`Symbolic links are not followed. Left out: ${formatList(links, MAX_LINKS_NAMED)}.`];
}
async function assertCheckedOut(root) {
	let names;
	try {
		names = await (0,promises_namespaceObject.readdir)(root);
	} catch (error) {
		throw notCheckedOut("cannot be read", error);
	}
	if (names.every((name) => name === ".git")) throw notCheckedOut("is empty");
}
function notCheckedOut(state, cause) {
	return new GateError({
		reason: "checkout",
		message: `The workspace ${state}: there are no files to check.`,
		fix: "Run `actions/checkout` in a step before this one."
	}, { cause });
}
const GLOB_OPTIONS = {
	followSymbolicLinks: false,
	implicitDescendants: false,
	matchDirectories: false
};
const CONCURRENT_WALKS = 8;
const CANNOT_BE_PATTERN = /[\n\r\ufffd]/;
async function findFiles(searchRoot, lines, signal) {
	const base = await (0,promises_namespaceObject.realpath)(searchRoot);
	const start = base.endsWith(external_node_path_namespaceObject.sep) ? base.length : base.length + 1;
	const matcher = new PathMatcher(lines);
	const files = new Set();
	const links = new Set();
	const matchedLines = new Set();
	const problems = [];
	const record = (file, entry) => {
		if (!entry.isFile() && !entry.isSymbolicLink()) return;
		const matching = matcher.linesMatching(file);
		for (const line of matching) matchedLines.add(line);
		if (matcher.isSelectedBy(matching)) (entry.isFile() ? files : links).add(file);
		else if (entry.isSymbolicLink() && matcher.canSelectUnder(file) && isFolder(external_node_path_namespaceObject.join(base, file))) links.add(file);
	};
	const list = async (folder) => {
		let entries;
		try {
			entries = await (0,promises_namespaceObject.readdir)(external_node_path_namespaceObject.join(base, folder), { withFileTypes: true });
		} catch (error) {
			problems.push(unreadableFolder(folder, error));
			return [];
		}
		const subfolders = [];
		const ambiguous = namesUsedTwice(entries);
		for (const entry of entries) {
			const child = folder === "" ? entry.name : `${folder}/${entry.name}`;
			const isSubfolder = entry.isDirectory();
			if (isSubfolder) for (const line of matcher.linesOverruledAt(child)) matchedLines.add(line);
			if (ambiguous.has(entry.name)) {
				if (isSubfolder ? matcher.canSelectUnder(child) : matcher.selects(child)) problems.push(ambiguousName(child));
			} else if (!isSubfolder) record(child, entry);
			else if (matcher.canSelectUnder(child)) subfolders.push(child);
		}
		return subfolders;
	};
	const walk = async (folder) => {
		signal?.throwIfAborted();
		const absolute = external_node_path_namespaceObject.join(base, folder);
		if (CANNOT_BE_PATTERN.test(absolute) || matcher.needsSubfolder(folder)) return await list(folder);
		const withReplacement = new Set();
		try {
			const globber = await create(patternForAll(absolute), GLOB_OPTIONS);
			for await (const found of globber.globGenerator()) {
				signal?.throwIfAborted();
				if (found.includes("�")) {
					if (withReplacement.has(found)) throw new Error("Two names look the same.");
					withReplacement.add(found);
				}
				const stats = (0,external_node_fs_.lstatSync)(found, { throwIfNoEntry: false });
				if (stats) record(found.slice(start).replaceAll(external_node_path_namespaceObject.sep, "/"), stats);
			}
			return [];
		} catch {
			signal?.throwIfAborted();
			return await list(folder);
		}
	};
	signal?.throwIfAborted();
	let folders = await list("");
	while (folders.length > 0) folders = (await concurrently(folders, CONCURRENT_WALKS, walk)).flat();
	if (problems.length > 0) throw new GateError(problems);
	return {
		files: [...files].toSorted(byCodeUnit),
		links: [...links].toSorted(byCodeUnit),
		matchedLines
	};
}
function patternForAll(folder) {
	return `${(external_node_path_namespaceObject.sep === "\\" ? folder : folder.replaceAll("\\", "\\\\")).replaceAll(/[*?[]/g, "[$&]")}${external_node_path_namespaceObject.sep}**`;
}
function namesUsedTwice(entries) {
	const names = entries.map(({ name }) => name).filter((name) => name.includes("�"));
	return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
function ambiguousName(path) {
	return {
		reason: "pre-flight",
		path,
		message: "Two names in this folder are not valid UTF-8 and look the same, so only one of them could be checked.",
		fix: "Rename both, or exclude them with a line that starts with `!` in the input `files`."
	};
}
function byCodeUnit(a, b) {
	return a < b ? -1 : Number(a > b);
}
function isFolder(absolutePath) {
	try {
		return (0,external_node_fs_.statSync)(absolutePath).isDirectory();
	} catch {
		return false;
	}
}
function unreadableFolder(folder, error) {
	const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
	return {
		reason: "pre-flight",
		path: folder === "" ? "." : folder,
		message: `The folder cannot be read (${code}), so the files in it cannot be checked.`,
		fix: "Give the job's user read access to it, or exclude it with a line that starts with `!` in the input `files`."
	};
}
// src/media/media-types.ts
const VIDEO = {
	"video/mp4": "mp4 f4v mp4v",
	"video/x-m4v": "m4v",
	"video/quicktime": "mov qt",
	"video/webm": "webm",
	"video/x-matroska": "mkv mk3d",
	"video/x-msvideo": "avi",
	"video/x-ms-wmv": "wmv",
	"video/x-ms-asf": "asf",
	"video/x-flv": "flv",
	"video/mpeg": "mpg? mpeg? mpe? m1v? m2v? m2p? vob?",
	"video/mp2t": "ts? mts? m2ts? m2t?",
	"video/3gpp": "3gp",
	"video/3gpp2": "3g2",
	"video/ogg": "ogv ogm",
	"application/mxf": "mxf?"
};
const AUDIO = {
	"audio/mpeg": "mp3? mp2? mp1? mpga?",
	"audio/mp4": "m4a m4b m4p f4a f4b",
	"audio/aac": "aac?",
	"audio/wav": "wav? wave?",
	"audio/flac": "flac",
	"audio/ogg": "ogg oga opus spx",
	"application/ogg": "ogx",
	"audio/webm": "weba",
	"audio/x-matroska": "mka",
	"audio/x-ms-wma": "wma",
	"audio/aiff": "aif aiff aifc",
	"audio/amr": "amr",
	"audio/ac3": "ac3? eac3?",
	"audio/x-caf": "caf",
	"audio/midi": "mid midi"
};
const IMAGE = {
	"image/jpeg": "jpg jpeg jpe jfif",
	"image/png": "png",
	"image/apng": "apng",
	"image/gif": "gif",
	"image/webp": "webp",
	"image/avif": "avif",
	"image/heic": "heic hif",
	"image/heif": "heif",
	"image/tiff": "tif tiff",
	"image/bmp": "bmp dib",
	"image/svg+xml": "svg",
	"image/x-icon": "ico cur",
	"image/vnd.adobe.photoshop": "psd",
	"image/jxl": "jxl",
	"image/jp2": "jp2"
};
const DOCUMENT = {
	"application/pdf": "pdf",
	"application/rtf": "rtf",
	"application/postscript": "ps eps",
	"application/epub+zip": "epub",
	"application/msword": "doc dot",
	"application/vnd.ms-excel": "xls xlt",
	"application/vnd.ms-powerpoint": "ppt pot pps",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xltx",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
	"application/vnd.openxmlformats-officedocument.presentationml.slideshow": "ppsx",
	"application/vnd.openxmlformats-officedocument.presentationml.template": "potx",
	"application/vnd.ms-word.document.macroenabled.12": "docm",
	"application/vnd.ms-excel.sheet.macroenabled.12": "xlsm",
	"application/vnd.ms-powerpoint.presentation.macroenabled.12": "pptm",
	"application/vnd.oasis.opendocument.text": "odt",
	"application/vnd.oasis.opendocument.spreadsheet": "ods",
	"application/vnd.oasis.opendocument.presentation": "odp",
	"application/vnd.oasis.opendocument.graphics": "odg",
	"application/vnd.apple.pages": "pages",
	"application/vnd.apple.numbers": "numbers",
	"application/vnd.apple.keynote": "key",
	"text/plain": "txt? text? log?",
	"text/csv": "csv?",
	"text/tab-separated-values": "tsv?",
	"text/markdown": "md? markdown?",
	"text/html": "html? htm?",
	"application/xhtml+xml": "xhtml?",
	"application/xml": "xml?",
	"application/json": "json?",
	"text/vtt": "vtt?",
	"application/x-subrip": "srt?"
};
const BY_EXTENSION = new Map([
	...knownTypes("video", VIDEO),
	...knownTypes("audio", AUDIO),
	...knownTypes("image", IMAGE),
	...knownTypes("document", DOCUMENT)
]);
function typeOfExtension(extension) {
	return BY_EXTENSION.get(extension);
}
function mediaType(extension, mime) {
	const known = BY_EXTENSION.get(extension);
	return {
		extension,
		mime: known?.mime ?? mime,
		category: known?.category ?? categoryOfMime(mime)
	};
}
function categoryOfName(path) {
	return BY_EXTENSION.get(extensionOf(path))?.category;
}
function includesAnalysisOf(analysed, wanted) {
	return analysed === wanted || analysed === "video" && wanted === "audio";
}
function extensionOf(path) {
	const name = path.slice(path.lastIndexOf("/") + 1);
	const dot = name.lastIndexOf(".");
	return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
const TEXT = extensionsIn(Object.entries(DOCUMENT).filter(([, extensions]) => extensions.includes("?")));
const ISO_VIDEO = [
	"mp4",
	"mp4v",
	"m4v",
	"f4v",
	"3gp",
	"3g2"
];
const ISO_AUDIO = [
	"m4a",
	"m4b",
	"m4p",
	"f4a",
	"f4b"
];
const ISO_MEDIA = [...ISO_VIDEO, ...ISO_AUDIO];
const QUICKTIME = ["mov", "qt"];
const OGG_AUDIO = [
	"ogg",
	"oga",
	"opus",
	"spx",
	"ogx"
];
const OGG_VIDEO = [
	"ogv",
	"ogm",
	"ogx"
];
const HEIF = [
	"heic",
	"heif",
	"hif"
];
const IWORK = [
	"pages",
	"numbers",
	"key"
];
const ZIPPED = extensionsIn(Object.entries(DOCUMENT).filter(([mime]) => /openxml|macroenabled|opendocument|apple|epub/.test(mime)));
const USUAL_EXTENSIONS = {
	...Object.fromEntries(ISO_MEDIA.map((extension) => [extension, ISO_MEDIA])),
	mov: [...QUICKTIME, ...ISO_AUDIO],
	moov: [...QUICKTIME, ...ISO_MEDIA],
	webm: ["webm", "weba"],
	mkv: [
		"mkv",
		"mk3d",
		"mka"
	],
	asf: [
		"asf",
		"wma",
		"wmv"
	],
	mpg: extensionsIn([["", VIDEO["video/mpeg"]]]),
	mts: extensionsIn([["", VIDEO["video/mp2t"]]]),
	...Object.fromEntries([...OGG_AUDIO, ...OGG_VIDEO].map((extension) => [extension, [...OGG_AUDIO, ...OGG_VIDEO]])),
	heic: HEIF,
	heif: [...HEIF, "avif"],
	apng: ["png", "apng"],
	png: ["png", "apng"],
	cfb: [
		"doc",
		"dot",
		"xls",
		"xlt",
		"ppt",
		"pot",
		"pps"
	],
	zip: ZIPPED,
	pages: IWORK,
	numbers: IWORK,
	key: IWORK,
	ps: ["eps"],
	eps: ["ps"],
	txt: TEXT,
	html: TEXT,
	xml: TEXT,
	svg: TEXT,
	markup: [...TEXT, "svg"]
};
function isTextExtension(extension) {
	return extension === "svg" || TEXT.includes(extension);
}
function isUsualExtension(detected, extension) {
	const mime = BY_EXTENSION.get(detected)?.mime;
	const isSameType = mime !== void 0 && mime === BY_EXTENSION.get(extension)?.mime;
	return detected === extension || isSameType || (USUAL_EXTENSIONS[detected]?.includes(extension) ?? false);
}
const CONTAINERS = Object.fromEntries([
	...[
		...ISO_MEDIA,
		...HEIF,
		"avif",
		"mov",
		"moov"
	].map((extension) => [extension, "iso"]),
	...["mkv", "webm"].map((extension) => [extension, "matroska"]),
	...[...OGG_AUDIO, ...OGG_VIDEO].map((extension) => [extension, "ogg"]),
	["asf", "asf"]
]);
function containerOf(detected) {
	return CONTAINERS[detected];
}
const PLAIN_EXTENSIONS = {
	moov: "mov",
	markup: "xml"
};
const EXTENSIONS_BY_TRACKS = {
	video: Object.fromEntries(OGG_AUDIO.map((extension) => [extension, "ogv"])),
	audio: {
		mkv: "mka",
		webm: "weba",
		asf: "wma"
	}
};
const ISO_EXTENSIONS = {
	video: "mp4",
	audio: "m4a"
};
function extensionFor(detected, tracks) {
	const extension = PLAIN_EXTENSIONS[detected] ?? detected;
	if (!tracks || BY_EXTENSION.get(extension)?.category === tracks) return extension;
	return EXTENSIONS_BY_TRACKS[tracks][detected] ?? ISO_EXTENSIONS[tracks];
}
function categoryOfMime(mime) {
	const [top] = mime.split("/");
	return top === "video" || top === "audio" || top === "image" ? top : void 0;
}
function knownTypes(category, table) {
	return Object.entries(table).flatMap(([mime, extensions]) => extensions.split(" ").map((entry) => [entry.replace("?", ""), {
		mime,
		category,
		hasSignature: !entry.endsWith("?")
	}]));
}
function extensionsIn(rows) {
	return rows.flatMap(([, extensions]) => extensions.replaceAll("?", "").split(" "));
}
// src/media/classify.ts
const SOURCE_CODE = new Set(["ts", "mts"]);
const STARTS = {
	"image/gif": ["a GIF", "GIF8"],
	"image/png": ["a PNG", "PNG"],
	"image/jpeg": ["a JPEG", "ÿØ"],
	"image/webp": ["a WebP image", "RIFF"],
	"image/bmp": ["a BMP image", "BM"],
	"image/vnd.adobe.photoshop": ["a PSD image", "8BPS"],
	"audio/wav": ["a WAV file", "RIFF"],
	"audio/flac": ["a FLAC file", "fLaC"],
	"audio/mpeg": ["an MP3 file", "ID3"],
	"audio/ogg": ["an Ogg file", "OggS"],
	"audio/aiff": ["an AIFF file", "FORM"],
	"audio/midi": ["a MIDI file", "MThd"],
	"video/ogg": ["an Ogg file", "OggS"],
	"video/x-msvideo": ["an AVI file", "RIFF"],
	"video/x-flv": ["an FLV file", "FLV"]
};
function classify(path, sniffed, head) {
	const extension = extensionOf(path);
	const claimed = sniffed?.extension === "txt" && SOURCE_CODE.has(extension) ? void 0 : typeOfExtension(extension);
	const what = claimed && whatItStartsLike(claimed.mime, sniffed, head);
	if (what !== void 0) return {
		kind: "cut-off",
		what
	};
	if (sniffed === void 0) {
		if (claimed?.hasSignature) return {
			kind: "contradiction",
			claimed: claimed.mime,
			actual: void 0
		};
		return {
			kind: "clear",
			type: mediaType(/^[a-z0-9]+$/.test(extension) ? extension : "bin", "application/octet-stream")
		};
	}
	const type = mediaType(extensionFor(sniffed.extension, sniffed.tracks), sniffed.mime);
	if (claimed === void 0) return {
		kind: "clear",
		type
	};
	if ((sniffed.tracks === void 0 || sniffed.tracks === claimed.category) && isUsualExtension(sniffed.extension, extension)) return {
		kind: "clear",
		type: mediaType(extension, claimed.mime)
	};
	if (claimed.category === type.category) return {
		kind: "renamed",
		type,
		claimed: claimed.mime
	};
	return {
		kind: "contradiction",
		claimed: claimed.mime,
		actual: type
	};
}
function whatItStartsLike(mime, sniffed, head) {
	if (sniffed !== void 0 && sniffed.extension !== "txt") return void 0;
	const [what, start = ""] = STARTS[mime] ?? [];
	return Buffer.from(head).toString("latin1", 0, start.length) === start ? what : void 0;
}
// src/media/content.ts
function representativeFile(files) {
	return files.find(({ type }) => files.every((other) => includesAnalysisOf(type.category, other.type.category)));
}
function conflictingNameProblems(files) {
	return [...Map.groupBy(files, ({ sha256 }) => sha256).values()].flatMap((copies) => {
		const [first, ...others] = copies;
		const other = others.find(({ type }) => type.category !== first?.type.category);
		if (!first || !other || representativeFile(copies)) return [];
		return [{
			reason: "pre-flight",
			path: other.path,
			message: `The same bytes are in ${first.path}, as another kind of file (${first.type.mime}; here ${other.type.mime}). One analysis does not fit both.`,
			fix: "Give both files the same extension, or exclude one of them with a line that starts with `!` in the input `files`."
		}];
	});
}
const MAX_NAME_LENGTH = 200;
const HEX_DIGITS = 32;
function uploadName(path, { sha256, repositoryId, extension }) {
	const ending = `-${(0,external_node_crypto_.createHash)("sha256").update(`${repositoryId}\n${sha256}`).digest("hex").slice(0, HEX_DIGITS)}.${extension.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 20) || "bin"}`;
	return `${stemOf(path).slice(0, MAX_NAME_LENGTH - ending.length).replace(/[._-]+$/, "") || "file"}${ending}`;
}
function stemOf(path) {
	return path.replace(/(?<=[^/])\.[^./]*$/, "").replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/[._-]*([._-])[._-]*/g, "$1").replace(/^[._-]+/, "");
}
// src/media/file.ts
async function withFile(file, work) {
	let handle;
	try {
		const flags = external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0) | (external_node_fs_.constants.O_NONBLOCK ?? 0);
		handle = await (0,promises_namespaceObject.open)(file.absolutePath, flags);
	} catch (error) {
		throw new GateError(openProblem(file.path, codeOf(error)), { cause: error });
	}
	try {
		const stats = await handle.stat();
		if (!stats.isFile()) throw new GateError(openProblem(file.path, "ENOTREG"));
		return await work(handle, stats);
	} catch (error) {
		const code = codeOf(error);
		if (code === "") throw error;
		throw new GateError(openProblem(file.path, code), { cause: error });
	} finally {
		await handle.close();
	}
}
async function readAt(handle, position, length) {
	const buffer = new Uint8Array(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return buffer.subarray(0, filled);
}
function codeOf(error) {
	return error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : "";
}
function openProblem(path, code) {
	if (code === "ENOENT" && path.includes("�")) return {
		reason: "pre-flight",
		path,
		message: "The name of the file is not valid UTF-8, so the file cannot be opened.",
		fix: "Rename the file, or exclude it with a line that starts with `!` in the input `files`."
	};
	if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "ENOTREG") return {
		reason: "pre-flight",
		path,
		message: "The file was removed or replaced while it was being checked.",
		fix: "Run this step after every step that moves or writes files."
	};
	return {
		reason: "pre-flight",
		path,
		message: `The file cannot be read (${code}).`,
		fix: "Give the job's user read access to it, or exclude it with a line that starts with `!` in the input `files`."
	};
}
function stampOf({ size, mtimeMs, ino }) {
	return {
		size,
		mtimeMs,
		ino
	};
}
function isSameStamp(a, b) {
	return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}
function changedProblem(path) {
	return {
		reason: "pre-flight",
		path,
		message: "The file changed while it was being checked.",
		fix: "Run this step after every step that writes the file."
	};
}
async function assertUnchanged(file) {
	let now;
	try {
		now = stampOf(await (0,promises_namespaceObject.lstat)(file.absolutePath));
	} catch (error) {
		throw new GateError(changedProblem(file.path), { cause: error });
	}
	if (!isSameStamp(file.stamp, now)) throw new GateError(changedProblem(file.path));
}
const CHUNK_BYTES = 1048576;
function makeHashBuffers() {
	return [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
}
async function hashFile(file, buffers = makeHashBuffers(), signal) {
	return withFile(file, async (handle, stats) => {
		const hash = (0,external_node_crypto_.createHash)("sha256");
		let [current, other] = buffers;
		let position = 0;
		let reading = handle.read(current, 0, current.length, position);
		for (;;) {
			const { bytesRead } = await reading;
			if (bytesRead === 0) break;
			signal?.throwIfAborted();
			position += bytesRead;
			if (position > stats.size) break;
			reading = handle.read(other, 0, other.length, position);
			hash.update(current.subarray(0, bytesRead));
			[current, other] = [other, current];
		}
		const stamp = stampOf(stats);
		if (position !== stats.size || !isSameStamp(stamp, stampOf(await handle.stat()))) throw new GateError(changedProblem(file.path));
		return {
			sha256: hash.digest("hex"),
			stamp
		};
	});
}
// src/media/lfs.ts
const MAX_POINTER_BYTES = 1024;
const POINTER = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;
function parsePointer(path, content) {
	if (content.length > MAX_POINTER_BYTES) return void 0;
	const { extensions, sha256, size } = POINTER.exec(new TextDecoder().decode(content))?.groups ?? {};
	if (sha256 === void 0) return void 0;
	return extensions === "" ? {
		path,
		sha256,
		size: Number(size)
	} : "extended";
}
const CHECK_OUT = "Set `lfs: true` in the `actions/checkout` step.";
function pointerProblem({ path }) {
	return {
		reason: "pre-flight",
		path,
		message: "The file is a Git LFS pointer: its content was not checked out.",
		fix: CHECK_OUT
	};
}
function extendedPointerProblem(path) {
	return {
		reason: "pre-flight",
		path,
		message: "The file is a Git LFS pointer with an extension: its content was not checked out.",
		fix: CHECK_OUT
	};
}
// node_modules/@borewit/text-codec/lib/index.js
const WINDOWS_1252_EXTRA = {
	128: "€",
	130: "‚",
	131: "ƒ",
	132: "„",
	133: "…",
	134: "†",
	135: "‡",
	136: "ˆ",
	137: "‰",
	138: "Š",
	139: "‹",
	140: "Œ",
	142: "Ž",
	145: "‘",
	146: "’",
	147: "“",
	148: "”",
	149: "•",
	150: "–",
	151: "—",
	152: "˜",
	153: "™",
	154: "š",
	155: "›",
	156: "œ",
	158: "ž",
	159: "Ÿ"
};
const WINDOWS_1252_REVERSE = {};
for (const [code, char] of Object.entries(WINDOWS_1252_EXTRA)) WINDOWS_1252_REVERSE[char] = Number.parseInt(code, 10);
let _utf8Decoder;
let _utf8Encoder;
function utf8Decoder() {
	if (_utf8Decoder === void 0) try {
		_utf8Decoder = typeof globalThis.TextDecoder === "undefined" ? null : new globalThis.TextDecoder("utf-8");
	} catch {
		_utf8Decoder = null;
	}
	return _utf8Decoder !== null && _utf8Decoder !== void 0 ? _utf8Decoder : void 0;
}
function utf8Encoder() {
	if (_utf8Encoder === void 0) try {
		_utf8Encoder = typeof globalThis.TextEncoder === "undefined" ? null : new globalThis.TextEncoder();
	} catch {
		_utf8Encoder = null;
	}
	return _utf8Encoder !== null && _utf8Encoder !== void 0 ? _utf8Encoder : void 0;
}
const CHUNK = 32768;
const REPLACEMENT = 65533;
function textDecode(bytes, encoding = "utf-8") {
	switch (encoding.toLowerCase()) {
		case "utf-8":
		case "utf8": {
			const dec = utf8Decoder();
			return dec ? dec.decode(bytes) : decodeUTF8(bytes);
		}
		case "utf-16le": return decodeUTF16LE(bytes);
		case "us-ascii":
		case "ascii": return decodeASCII(bytes);
		case "latin1":
		case "iso-8859-1": return decodeLatin1(bytes);
		case "windows-1252": return decodeWindows1252(bytes);
		default: throw new RangeError(`Encoding '${encoding}' not supported`);
	}
}
function textEncode(input = "", encoding = "utf-8") {
	switch (encoding.toLowerCase()) {
		case "utf-8":
		case "utf8": {
			const enc = utf8Encoder();
			return enc ? enc.encode(input) : encodeUTF8(input);
		}
		case "utf-16le": return encodeUTF16LE(input);
		case "us-ascii":
		case "ascii": return encodeASCII(input);
		case "latin1":
		case "iso-8859-1": return encodeLatin1(input);
		case "windows-1252": return encodeWindows1252(input);
		default: throw new RangeError(`Encoding '${encoding}' not supported`);
	}
}
function flushChunk(parts, chunk) {
	if (chunk.length === 0) return;
	parts.push(String.fromCharCode.apply(null, chunk));
	chunk.length = 0;
}
function pushCodeUnit(parts, chunk, codeUnit) {
	chunk.push(codeUnit);
	if (chunk.length >= CHUNK) flushChunk(parts, chunk);
}
function pushCodePoint(parts, chunk, cp) {
	if (cp <= 65535) {
		pushCodeUnit(parts, chunk, cp);
		return;
	}
	cp -= 65536;
	pushCodeUnit(parts, chunk, 55296 + (cp >> 10));
	pushCodeUnit(parts, chunk, 56320 + (cp & 1023));
}
function decodeUTF8(bytes) {
	const parts = [];
	const chunk = [];
	let i = 0;
	if (bytes.length >= 3 && bytes[0] === 239 && bytes[1] === 187 && bytes[2] === 191) i = 3;
	while (i < bytes.length) {
		const b1 = bytes[i];
		if (b1 <= 127) {
			pushCodeUnit(parts, chunk, b1);
			i++;
			continue;
		}
		if (b1 < 194 || b1 > 244) {
			pushCodeUnit(parts, chunk, REPLACEMENT);
			i++;
			continue;
		}
		const length = b1 <= 223 ? 2 : b1 <= 239 ? 3 : 4;
		let cp = b1 & 127 >> length;
		let lower = b1 === 224 ? 160 : b1 === 240 ? 144 : 128;
		let upper = b1 === 237 ? 159 : b1 === 244 ? 143 : 191;
		let consumed = 1;
		i++;
		while (consumed < length && i < bytes.length) {
			const next = bytes[i];
			if (next < lower || next > upper) break;
			cp = cp << 6 | next & 63;
			consumed++;
			i++;
			lower = 128;
			upper = 191;
		}
		pushCodePoint(parts, chunk, consumed === length ? cp : REPLACEMENT);
	}
	flushChunk(parts, chunk);
	return parts.join("");
}
function decodeUTF16LE(bytes) {
	const parts = [];
	const chunk = [];
	const len = bytes.length;
	let i = 0;
	if (len >= 2 && bytes[0] === 255 && bytes[1] === 254) i = 2;
	while (i + 1 < len) {
		const u1 = bytes[i] | bytes[i + 1] << 8;
		i += 2;
		if (u1 >= 55296 && u1 <= 56319) {
			if (i + 1 < len) {
				const u2 = bytes[i] | bytes[i + 1] << 8;
				if (u2 >= 56320 && u2 <= 57343) {
					pushCodeUnit(parts, chunk, u1);
					pushCodeUnit(parts, chunk, u2);
					i += 2;
				} else pushCodeUnit(parts, chunk, REPLACEMENT);
			} else pushCodeUnit(parts, chunk, REPLACEMENT);
			continue;
		}
		if (u1 >= 56320 && u1 <= 57343) {
			pushCodeUnit(parts, chunk, REPLACEMENT);
			continue;
		}
		pushCodeUnit(parts, chunk, u1);
	}
	if (i < len) pushCodeUnit(parts, chunk, REPLACEMENT);
	flushChunk(parts, chunk);
	return parts.join("");
}
function decodeASCII(bytes) {
	const parts = [];
	for (let i = 0; i < bytes.length; i += CHUNK) {
		const end = Math.min(bytes.length, i + CHUNK);
		const codes = new Array(end - i);
		for (let j = i, k = 0; j < end; j++, k++) codes[k] = bytes[j] & 127;
		parts.push(String.fromCharCode.apply(null, codes));
	}
	return parts.join("");
}
function decodeLatin1(bytes) {
	const parts = [];
	for (let i = 0; i < bytes.length; i += CHUNK) {
		const end = Math.min(bytes.length, i + CHUNK);
		const codes = new Array(end - i);
		for (let j = i, k = 0; j < end; j++, k++) codes[k] = bytes[j];
		parts.push(String.fromCharCode.apply(null, codes));
	}
	return parts.join("");
}
function decodeWindows1252(bytes) {
	const parts = [];
	let out = "";
	for (let i = 0; i < bytes.length; i++) {
		const b = bytes[i];
		const extra = b >= 128 && b <= 159 ? WINDOWS_1252_EXTRA[b] : void 0;
		out += extra !== null && extra !== void 0 ? extra : String.fromCharCode(b);
		if (out.length >= CHUNK) {
			parts.push(out);
			out = "";
		}
	}
	if (out) parts.push(out);
	return parts.join("");
}
function encodeUTF8(str) {
	const out = [];
	for (let i = 0; i < str.length; i++) {
		let cp = str.charCodeAt(i);
		if (cp >= 55296 && cp <= 56319) {
			if (i + 1 < str.length) {
				const lo = str.charCodeAt(i + 1);
				if (lo >= 56320 && lo <= 57343) {
					cp = 65536 + (cp - 55296 << 10) + (lo - 56320);
					i++;
				} else cp = REPLACEMENT;
			} else cp = REPLACEMENT;
		} else if (cp >= 56320 && cp <= 57343) cp = REPLACEMENT;
		if (cp < 128) out.push(cp);
		else if (cp < 2048) out.push(192 | cp >> 6, 128 | cp & 63);
		else if (cp < 65536) out.push(224 | cp >> 12, 128 | cp >> 6 & 63, 128 | cp & 63);
		else out.push(240 | cp >> 18, 128 | cp >> 12 & 63, 128 | cp >> 6 & 63, 128 | cp & 63);
	}
	return new Uint8Array(out);
}
function encodeUTF16LE(str) {
	const units = [];
	for (let i = 0; i < str.length; i++) {
		const u = str.charCodeAt(i);
		if (u >= 55296 && u <= 56319) {
			if (i + 1 < str.length) {
				const lo = str.charCodeAt(i + 1);
				if (lo >= 56320 && lo <= 57343) {
					units.push(u, lo);
					i++;
				} else units.push(REPLACEMENT);
			} else units.push(REPLACEMENT);
			continue;
		}
		if (u >= 56320 && u <= 57343) {
			units.push(REPLACEMENT);
			continue;
		}
		units.push(u);
	}
	const out = new Uint8Array(units.length * 2);
	for (let i = 0; i < units.length; i++) {
		const code = units[i];
		const o = i * 2;
		out[o] = code & 255;
		out[o + 1] = code >>> 8;
	}
	return out;
}
function encodeASCII(str) {
	const out = new Uint8Array(str.length);
	for (let i = 0; i < str.length; i++) out[i] = str.charCodeAt(i) & 127;
	return out;
}
function encodeLatin1(str) {
	const out = new Uint8Array(str.length);
	for (let i = 0; i < str.length; i++) out[i] = str.charCodeAt(i) & 255;
	return out;
}
function encodeWindows1252(str) {
	const out = new Uint8Array(str.length);
	for (let i = 0; i < str.length; i++) {
		const ch = str[i];
		const code = ch.charCodeAt(0);
		if (WINDOWS_1252_REVERSE[ch] !== void 0) {
			out[i] = WINDOWS_1252_REVERSE[ch];
			continue;
		}
		if (code >= 0 && code <= 127 || code >= 160 && code <= 255) {
			out[i] = code;
			continue;
		}
		out[i] = 63;
	}
	return out;
}
// node_modules/token-types/dist/lib/index.js
function dv(array) {
	return new DataView(array.buffer, array.byteOffset);
}
const UINT8 = {
	len: 1,
	get(array, offset) {
		return dv(array).getUint8(offset);
	},
	put(array, offset, value) {
		dv(array).setUint8(offset, value);
		return offset + 1;
	}
};
const UINT16_LE = {
	len: 2,
	get(array, offset) {
		return dv(array).getUint16(offset, true);
	},
	put(array, offset, value) {
		dv(array).setUint16(offset, value, true);
		return offset + 2;
	}
};
const UINT16_BE = {
	len: 2,
	get(array, offset) {
		return dv(array).getUint16(offset);
	},
	put(array, offset, value) {
		dv(array).setUint16(offset, value);
		return offset + 2;
	}
};
const UINT32_LE = {
	len: 4,
	get(array, offset) {
		return dv(array).getUint32(offset, true);
	},
	put(array, offset, value) {
		dv(array).setUint32(offset, value, true);
		return offset + 4;
	}
};
const UINT32_BE = {
	len: 4,
	get(array, offset) {
		return dv(array).getUint32(offset);
	},
	put(array, offset, value) {
		dv(array).setUint32(offset, value);
		return offset + 4;
	}
};
const INT32_BE = {
	len: 4,
	get(array, offset) {
		return dv(array).getInt32(offset);
	},
	put(array, offset, value) {
		dv(array).setInt32(offset, value);
		return offset + 4;
	}
};
const UINT64_LE = {
	len: 8,
	get(array, offset) {
		return dv(array).getBigUint64(offset, true);
	},
	put(array, offset, value) {
		dv(array).setBigUint64(offset, value, true);
		return offset + 8;
	}
};
var StringType = class {
	constructor(len, encoding) {
		this.len = len;
		this.encoding = encoding;
	}
	get(data, offset = 0) {
		return textDecode(data.subarray(offset, offset + this.len), this.encoding);
	}
	put(array, offset, value) {
		const bytes = textEncode(value, this.encoding);
		if (bytes.length !== this.len) throw new RangeError(`Expected an encoded value of ${this.len} byte(s), got ${bytes.length}`);
		array.set(bytes, offset);
		return offset + this.len;
	}
};
// node_modules/strtok3/lib/stream/Errors.js
const defaultMessages = "End-Of-Stream";
var EndOfStreamError = class extends Error {
	constructor() {
		super(defaultMessages);
		this.name = "EndOfStreamError";
	}
};
var AbortError = class extends Error {
	constructor(message = "The operation was aborted") {
		super(message);
		this.name = "AbortError";
	}
};
// node_modules/strtok3/lib/AbortSignal.js
function throwIfAborted(signal) {
	if (signal?.aborted) throw new AbortError();
}
// node_modules/strtok3/lib/BufferSizeError.js
var BufferSizeError = class extends RangeError {
	constructor(requestedSize, maxBufferSize) {
		super(`Requested buffer size ${requestedSize} exceeds maxBufferSize ${maxBufferSize}`);
		this.requestedSize = requestedSize;
		this.maxBufferSize = maxBufferSize;
		this.name = "BufferSizeError";
	}
};
function getMaxBufferSize(options) {
	const limit = options?.maxBufferSize ?? Number.POSITIVE_INFINITY;
	if (limit !== Number.POSITIVE_INFINITY && (!Number.isSafeInteger(limit) || limit <= 0)) throw new RangeError("maxBufferSize must be a positive safe integer or Infinity");
	return limit;
}
// node_modules/strtok3/lib/stream/AbstractStreamReader.js
var AbstractStreamReader = class {
	constructor() {
		this.endOfStream = false;
		this.interrupted = false;
		this.peekQueue = [];
	}
	async peek(uint8Array, mayBeLess = false) {
		const bytesRead = await this.read(uint8Array, mayBeLess);
		this.peekQueue.push(uint8Array.subarray(0, bytesRead));
		return bytesRead;
	}
	async read(buffer, mayBeLess = false) {
		if (buffer.length === 0) return 0;
		let bytesRead = this.readFromPeekBuffer(buffer);
		if (!this.endOfStream) bytesRead += await this.readRemainderFromStream(buffer.subarray(bytesRead), mayBeLess);
		if (bytesRead === 0 && !mayBeLess) throw new EndOfStreamError();
		return bytesRead;
	}
	readFromPeekBuffer(buffer) {
		let remaining = buffer.length;
		let bytesRead = 0;
		while (this.peekQueue.length > 0 && remaining > 0) {
			const peekData = this.peekQueue.pop();
			if (!peekData) throw new Error("peekData should be defined");
			const lenCopy = Math.min(peekData.length, remaining);
			buffer.set(peekData.subarray(0, lenCopy), bytesRead);
			bytesRead += lenCopy;
			remaining -= lenCopy;
			if (lenCopy < peekData.length) this.peekQueue.push(peekData.subarray(lenCopy));
		}
		return bytesRead;
	}
	async readRemainderFromStream(buffer, mayBeLess) {
		let bytesRead = 0;
		while (bytesRead < buffer.length && !this.endOfStream) {
			if (this.interrupted) throw new AbortError();
			const chunkLen = await this.readFromStream(buffer.subarray(bytesRead), mayBeLess);
			if (chunkLen === 0) break;
			bytesRead += chunkLen;
		}
		if (!mayBeLess && bytesRead < buffer.length) throw new EndOfStreamError();
		return bytesRead;
	}
};
// node_modules/strtok3/lib/stream/WebStreamReader.js
var WebStreamReader = class extends AbstractStreamReader {
	constructor(reader) {
		super();
		this.reader = reader;
	}
	async abort() {
		return this.close();
	}
	async close() {
		this.reader.releaseLock();
	}
};
// node_modules/strtok3/lib/stream/WebStreamByobReader.js
var WebStreamByobReader = class extends WebStreamReader {
	async readFromStream(buffer, mayBeLess) {
		if (buffer.length === 0) return 0;
		const result = await this.reader.read(new Uint8Array(buffer.length), { min: mayBeLess ? void 0 : buffer.length });
		if (result.done) this.endOfStream = result.done;
		if (result.value) {
			buffer.set(result.value);
			return result.value.length;
		}
		return 0;
	}
};
// node_modules/strtok3/lib/stream/WebStreamDefaultReader.js
var WebStreamDefaultReader = class extends AbstractStreamReader {
	constructor(reader) {
		super();
		this.reader = reader;
		this.buffer = null;
	}
	writeChunk(target, chunk) {
		const written = Math.min(chunk.length, target.length);
		target.set(chunk.subarray(0, written));
		if (written < chunk.length) this.buffer = chunk.subarray(written);
		else this.buffer = null;
		return written;
	}
	async readFromStream(buffer, mayBeLess) {
		if (buffer.length === 0) return 0;
		let totalBytesRead = 0;
		if (this.buffer) totalBytesRead += this.writeChunk(buffer, this.buffer);
		while (totalBytesRead < buffer.length && !this.endOfStream) {
			const result = await this.reader.read();
			if (result.done) {
				this.endOfStream = true;
				break;
			}
			if (result.value) totalBytesRead += this.writeChunk(buffer.subarray(totalBytesRead), result.value);
		}
		if (!mayBeLess && totalBytesRead === 0 && this.endOfStream) throw new EndOfStreamError();
		return totalBytesRead;
	}
	abort() {
		this.interrupted = true;
		return this.reader.cancel();
	}
	async close() {
		try {
			await this.abort();
		} finally {
			this.reader.releaseLock();
		}
	}
};
// node_modules/strtok3/lib/stream/WebStreamReaderFactory.js
function makeWebStreamReader(stream) {
	try {
		const reader = stream.getReader({ mode: "byob" });
		if (reader instanceof ReadableStreamDefaultReader) return new WebStreamDefaultReader(reader);
		return new WebStreamByobReader(reader);
	} catch (error) {
		if (error instanceof TypeError) return new WebStreamDefaultReader(stream.getReader());
		throw error;
	}
}
// node_modules/strtok3/lib/AbstractTokenizer.js
var AbstractTokenizer = class {
	constructor(options) {
		this.numBuffer = new Uint8Array(10);
		this.position = 0;
		this.maxBufferSize = getMaxBufferSize(options);
		throwIfAborted(options?.abortSignal);
		this.onClose = options?.onClose;
		if (options?.abortSignal) this.addAbortListener(options.abortSignal, () => {
			this.abort().catch(() => {});
		});
	}
	addAbortListener(signal, listener) {
		this.abortSignal = signal;
		this.abortListener = listener;
		signal.addEventListener("abort", listener, { once: true });
	}
	removeAbortListener() {
		if (this.abortListener) this.abortSignal?.removeEventListener("abort", this.abortListener);
		this.abortSignal = void 0;
		this.abortListener = void 0;
	}
	async readToken(token, position = this.position) {
		this.validateTokenRead(token.len, position);
		const uint8Array = new Uint8Array(token.len);
		if (await this.readBuffer(uint8Array, { position }) < token.len) throw new EndOfStreamError();
		return token.get(uint8Array, 0);
	}
	async peekToken(token, position = this.position) {
		const peekPosition = position ?? this.position;
		this.validateTokenRead(token.len, peekPosition, true);
		const uint8Array = new Uint8Array(token.len);
		if (await this.peekBuffer(uint8Array, { position: peekPosition }) < token.len) throw new EndOfStreamError();
		return token.get(uint8Array, 0);
	}
	async readNumber(token) {
		if (await this.readBuffer(this.numBuffer, { length: token.len }) < token.len) throw new EndOfStreamError();
		return token.get(this.numBuffer, 0);
	}
	async peekNumber(token) {
		if (await this.peekBuffer(this.numBuffer, { length: token.len }) < token.len) throw new EndOfStreamError();
		return token.get(this.numBuffer, 0);
	}
	async ignore(length) {
		if (length < 0) throw new RangeError("ignore length must be ≥ 0 bytes");
		this.validateLength(length, "ignore length");
		this.validateLength(this.position + length, "end position");
		if (this.fileInfo.size !== void 0) {
			const bytesLeft = Math.max(0, this.fileInfo.size - this.position);
			if (length > bytesLeft) {
				this.position += bytesLeft;
				return bytesLeft;
			}
		}
		this.position += length;
		return length;
	}
	close() {
		if (!this.closePromise) {
			this.removeAbortListener();
			this.closePromise = Promise.resolve().then(() => this.closeOnce());
		}
		return this.closePromise;
	}
	async closeOnce() {
		await this.abort();
		await this.onClose?.();
	}
	validateLength(value, name) {
		if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be a non-negative safe integer`);
	}
	validateBufferSize(length) {
		this.validateLength(length, "buffer length");
		if (length > this.maxBufferSize) throw new BufferSizeError(length, this.maxBufferSize);
	}
	validateTokenRead(length, position, peek = false) {
		this.validateBufferSize(length);
		this.validateLength(position, "position");
		this.validateLength(position + length, "end position");
		if (!this.supportsRandomAccess() && position < this.position) throw new Error("`options.position` must be equal or greater than `tokenizer.position`");
		if (peek && !this.supportsRandomAccess()) this.validateBufferSize(length + position - this.position);
		if (this.fileInfo.size !== void 0 && length > this.fileInfo.size - position) throw new EndOfStreamError();
	}
	normalizeOptions(uint8Array, options) {
		const length = options?.length ?? uint8Array.length;
		const position = options?.position ?? this.position;
		this.validateLength(length, "length");
		this.validateLength(position, "position");
		this.validateLength(position + length, "end position");
		if (length > uint8Array.length) throw new RangeError("length must not exceed the target buffer length");
		if (!this.supportsRandomAccess() && position < this.position) throw new Error("`options.position` must be equal or greater than `tokenizer.position`");
		return {
			length,
			position,
			mayBeLess: options?.mayBeLess ?? false
		};
	}
	abort() {
		this.removeAbortListener();
		return Promise.resolve();
	}
};
// node_modules/strtok3/lib/BlobTokenizer.js
var BlobTokenizer = class extends AbstractTokenizer {
	constructor(blob, options) {
		super(options);
		this.blob = blob;
		this.fileInfo = {
			...options?.fileInfo ?? {},
			size: blob.size,
			mimeType: blob.type
		};
	}
	async readBuffer(uint8Array, options) {
		const normOptions = this.normalizeOptions(uint8Array, options);
		const bytesRead = await this.peekBuffer(uint8Array, normOptions);
		this.position = normOptions.position + bytesRead;
		return bytesRead;
	}
	async peekBuffer(buffer, options) {
		const normOptions = this.normalizeOptions(buffer, options);
		const bytes2read = Math.max(0, Math.min(this.blob.size - normOptions.position, normOptions.length));
		if (!normOptions.mayBeLess && bytes2read < normOptions.length) throw new EndOfStreamError();
		for (let offset = 0; offset < bytes2read;) {
			const chunkLength = Math.min(this.maxBufferSize, bytes2read - offset);
			const position = normOptions.position + offset;
			const arrayBuffer = await this.blob.slice(position, position + chunkLength).arrayBuffer();
			buffer.set(new Uint8Array(arrayBuffer), offset);
			offset += chunkLength;
		}
		return bytes2read;
	}
	close() {
		return super.close();
	}
	supportsRandomAccess() {
		return true;
	}
	setPosition(position) {
		this.validateLength(position, "position");
		this.position = position;
	}
};
// node_modules/strtok3/lib/BufferTokenizer.js
var BufferTokenizer = class extends AbstractTokenizer {
	constructor(uint8Array, options) {
		super(options);
		this.uint8Array = uint8Array;
		this.fileInfo = {
			...options?.fileInfo ?? {},
			size: uint8Array.length
		};
	}
	async readBuffer(uint8Array, options) {
		const normOptions = this.normalizeOptions(uint8Array, options);
		const bytesRead = await this.peekBuffer(uint8Array, normOptions);
		this.position = normOptions.position + bytesRead;
		return bytesRead;
	}
	async peekBuffer(uint8Array, options) {
		const normOptions = this.normalizeOptions(uint8Array, options);
		const bytes2read = Math.max(0, Math.min(this.uint8Array.length - normOptions.position, normOptions.length));
		if (!normOptions.mayBeLess && bytes2read < normOptions.length) throw new EndOfStreamError();
		uint8Array.set(this.uint8Array.subarray(normOptions.position, normOptions.position + bytes2read));
		return bytes2read;
	}
	close() {
		return super.close();
	}
	supportsRandomAccess() {
		return true;
	}
	setPosition(position) {
		this.validateLength(position, "position");
		this.position = position;
	}
};
// node_modules/strtok3/lib/ReadStreamTokenizer.js
const ignoreChunkSize = 256e3;
var ReadStreamTokenizer = class extends AbstractTokenizer {
	constructor(streamReader, options) {
		super(options);
		this.streamReader = streamReader;
		this.fileInfo = options?.fileInfo ?? {};
	}
	async readBuffer(uint8Array, options) {
		const normOptions = this.normalizeOptions(uint8Array, options);
		const skipBytes = normOptions.position - this.position;
		if (skipBytes > 0) {
			await this.ignore(skipBytes);
			return this.readBuffer(uint8Array, options);
		}
		if (skipBytes < 0) throw new Error("`options.position` must be equal or greater than `tokenizer.position`");
		if (normOptions.length === 0) return 0;
		let bytesRead = 0;
		while (bytesRead < normOptions.length) {
			const chunkLength = Math.min(this.maxBufferSize, normOptions.length - bytesRead);
			const count = await this.streamReader.read(uint8Array.subarray(bytesRead, bytesRead + chunkLength), true);
			bytesRead += count;
			this.position += count;
			if (count < chunkLength) break;
		}
		if (!normOptions.mayBeLess && bytesRead < normOptions.length) throw new EndOfStreamError();
		return bytesRead;
	}
	async peekBuffer(uint8Array, options) {
		const normOptions = this.normalizeOptions(uint8Array, options);
		if (normOptions.length === 0) return 0;
		if (this.fileInfo.size !== void 0 && normOptions.position >= this.fileInfo.size) {
			if (normOptions.mayBeLess) return 0;
			throw new EndOfStreamError();
		}
		const lookaheadSize = normOptions.length + normOptions.position - this.position;
		this.validateBufferSize(lookaheadSize);
		let bytesRead = 0;
		if (normOptions.position) {
			const skipBytes = normOptions.position - this.position;
			if (skipBytes > 0) {
				const skipBuffer = new Uint8Array(normOptions.length + skipBytes);
				bytesRead = await this.peekBuffer(skipBuffer, { mayBeLess: normOptions.mayBeLess });
				const bytesPeeked = Math.max(0, bytesRead - skipBytes);
				uint8Array.set(skipBuffer.subarray(skipBytes, skipBytes + bytesPeeked));
				return bytesPeeked;
			}
			if (skipBytes < 0) throw new Error("Cannot peek from a negative offset in a stream");
		}
		if (normOptions.length > 0) {
			try {
				const peekBuffer = new Uint8Array(normOptions.length);
				bytesRead = await this.streamReader.peek(peekBuffer, true);
				uint8Array.set(peekBuffer.subarray(0, bytesRead));
			} catch (err) {
				if (options?.mayBeLess && err instanceof EndOfStreamError) return 0;
				throw err;
			}
			if (!normOptions.mayBeLess && bytesRead < normOptions.length) throw new EndOfStreamError();
		}
		return bytesRead;
	}
	async ignore(length) {
		if (length < 0) throw new RangeError("ignore length must be ≥ 0 bytes");
		this.validateLength(length, "ignore length");
		this.validateLength(this.position + length, "end position");
		if (length > 0 && this.fileInfo.size !== void 0 && length > this.fileInfo.size - this.position) throw new EndOfStreamError();
		const bufSize = Math.min(ignoreChunkSize, this.maxBufferSize, length);
		const buf = new Uint8Array(bufSize);
		let totBytesRead = 0;
		while (totBytesRead < length) {
			const remaining = length - totBytesRead;
			const bytesRead = await this.readBuffer(buf, { length: Math.min(bufSize, remaining) });
			if (bytesRead < 0) return bytesRead;
			totBytesRead += bytesRead;
		}
		return totBytesRead;
	}
	abort() {
		this.removeAbortListener();
		return this.streamReader.abort();
	}
	async close() {
		this.removeAbortListener();
		return this.streamReader.close();
	}
	supportsRandomAccess() {
		return false;
	}
};
// node_modules/strtok3/lib/isRandomAccessTokenizer.js
function isRandomAccessTokenizer(tokenizer) {
	return tokenizer.supportsRandomAccess() && "setPosition" in tokenizer && typeof tokenizer.setPosition === "function" && typeof tokenizer.fileInfo.size === "number";
}
// node_modules/strtok3/lib/TokenizerBoundaryError.js
var TokenizerBoundaryError = class extends RangeError {
	constructor(position, length, size) {
		super(`Range at position ${position} with length ${length} exceeds tokenizer view size ${size}`);
		this.position = position;
		this.length = length;
		this.size = size;
		this.name = "TokenizerBoundaryError";
	}
};
// node_modules/strtok3/lib/TokenizerView.js
function validateOffset(value, name) {
	if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be a non-negative safe integer`);
}
function createTokenizerView(source, length) {
	return isRandomAccessTokenizer(source) ? new RandomAccessTokenizerView(source, length) : new TokenizerView(source, length);
}
var TokenizerView = class TokenizerView {
	constructor(source, size) {
		this.source = source;
		this.size = size;
		this.closed = false;
		this.closedPosition = 0;
		this.busy = false;
		validateOffset(size, "length");
		validateOffset(source.position, "source position");
		validateOffset(source.position + size, "end position");
		if (source instanceof TokenizerView) {
			source.assertAvailable();
			source.translateRange(size, source.position);
		}
		this.start = source.position;
		this.fileInfo = { size };
	}
	get position() {
		return this.closed ? this.closedPosition : this.source.position - this.start;
	}
	get remaining() {
		return this.size - this.position;
	}
	supportsRandomAccess() {
		return false;
	}
	createView(length) {
		this.assertAvailable();
		return createTokenizerView(this, length);
	}
	async readBuffer(buffer, options) {
		return this.bufferOperation("readBuffer", buffer, options);
	}
	async peekBuffer(buffer, options) {
		return this.bufferOperation("peekBuffer", buffer, options);
	}
	async bufferOperation(method, buffer, options) {
		this.assertAvailable();
		const length = options?.length ?? buffer.length;
		const position = options?.position ?? this.position;
		const absolutePosition = this.translateRange(length, position);
		if (length > buffer.length) throw new RangeError("length must not exceed the target buffer length");
		return this.run(() => this.source[method](buffer, {
			...options,
			length,
			position: absolutePosition
		}));
	}
	async readToken(token, position = this.position) {
		this.assertAvailable();
		const absolutePosition = this.translateRange(token.len, position);
		return this.run(() => this.source.readToken(token, absolutePosition));
	}
	async peekToken(token, position = this.position) {
		this.assertAvailable();
		const absolutePosition = this.translateRange(token.len, position ?? this.position);
		return this.run(() => this.source.peekToken(token, absolutePosition));
	}
	async readNumber(token) {
		this.assertAvailable();
		this.translateRange(token.len, this.position);
		return this.run(() => this.source.readNumber(token));
	}
	async peekNumber(token) {
		this.assertAvailable();
		this.translateRange(token.len, this.position);
		return this.run(() => this.source.peekNumber(token));
	}
	async ignore(length) {
		this.assertAvailable();
		this.translateRange(length, this.position);
		return this.run(() => this.source.ignore(length));
	}
	async consumeRemainder() {
		this.assertAvailable();
		const length = this.remaining;
		const end = this.translateRange(length, this.position) + length;
		return this.run(async () => {
			if (length === 0) return 0;
			if (isRandomAccessTokenizer(this.source)) {
				if (await this.source.peekBuffer(new Uint8Array(1), { position: end - 1 }) !== 1) throw new EndOfStreamError();
				this.source.setPosition(end);
			} else if (await this.source.ignore(length) !== length) throw new EndOfStreamError();
			return length;
		});
	}
	async close() {
		if (this.closed) return;
		if (this.busy) throw new Error("Cannot close a tokenizer view during an active operation");
		this.closedPosition = this.position;
		this.closed = true;
	}
	async abort() {
		if (this.closed) return;
		try {
			await this.source.abort();
		} finally {
			this.closedPosition = this.position;
			this.closed = true;
		}
	}
	assertAvailable() {
		if (this.closed) throw new Error("Tokenizer view is closed");
		if (this.busy) throw new Error("Tokenizer views require sequential operations");
		if (this.source instanceof TokenizerView) this.source.assertAvailable();
	}
	translateRange(length, position) {
		validateOffset(length, "length");
		validateOffset(position, "position");
		validateOffset(position + length, "end position");
		if (position > this.size || length > this.size - position) throw new TokenizerBoundaryError(position, length, this.size);
		if (!this.supportsRandomAccess() && position < this.position) throw new Error("`options.position` must be equal or greater than `tokenizer.position`");
		return this.start + position;
	}
	async run(operation) {
		this.busy = true;
		try {
			return await operation();
		} finally {
			this.busy = false;
		}
	}
};
var RandomAccessTokenizerView = class extends TokenizerView {
	constructor(source, size) {
		super(source, size);
	}
	supportsRandomAccess() {
		return true;
	}
	setPosition(position) {
		this.assertAvailable();
		this.source.setPosition(this.translateRange(0, position));
	}
	createView(length) {
		this.assertAvailable();
		return createTokenizerView(this, length);
	}
};
// node_modules/strtok3/lib/core.js
function fromWebStream(webStream, options) {
	getMaxBufferSize(options);
	throwIfAborted(options?.abortSignal);
	return new ReadStreamTokenizer(makeWebStreamReader(webStream), options);
}
function fromBuffer(uint8Array, options) {
	return new BufferTokenizer(uint8Array, options);
}
function fromBlob(blob, options) {
	return new BlobTokenizer(blob, options);
}
// node_modules/@tokenizer/inflate/lib/GzipHandler.js
var GzipHandler = class {
	constructor(tokenizer) {
		this.tokenizer = tokenizer;
	}
	inflate() {
		const tokenizer = this.tokenizer;
		return new ReadableStream({ async pull(controller) {
			const buffer = new Uint8Array(1024);
			const size = await tokenizer.readBuffer(buffer, { mayBeLess: true });
			if (size === 0) {
				controller.close();
				return;
			}
			controller.enqueue(buffer.subarray(0, size));
		} }).pipeThrough(new DecompressionStream("gzip"));
	}
};
// node_modules/debug/src/index.js
var require_src = (0,rolldown_runtime.t)(((exports, module) => {
	const nothing = () => nothing;
	module.exports = nothing;
}));
// node_modules/@tokenizer/inflate/lib/ZipLimitError.js
var import_src = (0,rolldown_runtime.i)(require_src(), 1);
var ZipLimitError = class extends RangeError {
	constructor(limit, requestedSize, maxSize) {
		super(`ZIP ${limit} exceeded: ${requestedSize} exceeds limit of ${maxSize}`);
		this.limit = limit;
		this.requestedSize = requestedSize;
		this.maxSize = maxSize;
		this.name = "ZipLimitError";
	}
};
// node_modules/@tokenizer/inflate/lib/ZipToken.js
const Signature = {
	LocalFileHeader: 67324752,
	DataDescriptor: 134695760,
	CentralFileHeader: 33639248,
	EndOfCentralDirectory: 101010256
};
const DataDescriptor = {
	get(array) {
		return {
			signature: UINT32_LE.get(array, 0),
			compressedSize: UINT32_LE.get(array, 8),
			uncompressedSize: UINT32_LE.get(array, 12)
		};
	},
	len: 16
};
const LocalFileHeaderToken = {
	get(array) {
		const flags = UINT16_LE.get(array, 6);
		return {
			signature: UINT32_LE.get(array, 0),
			minVersion: UINT16_LE.get(array, 4),
			dataDescriptor: !!(flags & 8),
			compressedMethod: UINT16_LE.get(array, 8),
			compressedSize: UINT32_LE.get(array, 18),
			uncompressedSize: UINT32_LE.get(array, 22),
			filenameLength: UINT16_LE.get(array, 26),
			extraFieldLength: UINT16_LE.get(array, 28),
			filename: null
		};
	},
	len: 30
};
const EndOfCentralDirectoryRecordToken = {
	get(array) {
		return {
			signature: UINT32_LE.get(array, 0),
			nrOfThisDisk: UINT16_LE.get(array, 4),
			nrOfThisDiskWithTheStart: UINT16_LE.get(array, 6),
			nrOfEntriesOnThisDisk: UINT16_LE.get(array, 8),
			nrOfEntriesOfSize: UINT16_LE.get(array, 10),
			sizeOfCd: UINT32_LE.get(array, 12),
			offsetOfStartOfCd: UINT32_LE.get(array, 16),
			zipFileCommentLength: UINT16_LE.get(array, 20)
		};
	},
	len: 22
};
const FileHeader = {
	get(array) {
		const flags = UINT16_LE.get(array, 8);
		return {
			signature: UINT32_LE.get(array, 0),
			minVersion: UINT16_LE.get(array, 6),
			dataDescriptor: !!(flags & 8),
			compressedMethod: UINT16_LE.get(array, 10),
			compressedSize: UINT32_LE.get(array, 20),
			uncompressedSize: UINT32_LE.get(array, 24),
			filenameLength: UINT16_LE.get(array, 28),
			extraFieldLength: UINT16_LE.get(array, 30),
			fileCommentLength: UINT16_LE.get(array, 32),
			relativeOffsetOfLocalHeader: UINT32_LE.get(array, 42),
			filename: null
		};
	},
	len: 46
};
// node_modules/@tokenizer/inflate/lib/ZipHandler.js
function signatureToArray(signature) {
	const signatureBytes = new Uint8Array(UINT32_LE.len);
	UINT32_LE.put(signatureBytes, 0, signature);
	return signatureBytes;
}
const debug = (0, import_src.default)("tokenizer:inflate");
const syncBufferSize = 262144;
const eocdSignatureBytes = signatureToArray(Signature.EndOfCentralDirectory);
var ZipHandler = class {
	constructor(tokenizer, options = {}) {
		this.tokenizer = tokenizer;
		this.syncBuffer = new Uint8Array(syncBufferSize);
		this.scannedBytes = 0;
		this.descriptorScannedBytes = 0;
		this.limits = {
			maxEntryCount: options.maxEntryCount ?? Number.POSITIVE_INFINITY,
			maxTotalScanBytes: options.maxTotalScanBytes ?? Number.POSITIVE_INFINITY,
			maxTotalDataDescriptorScanBytes: options.maxTotalDataDescriptorScanBytes ?? Number.POSITIVE_INFINITY,
			maxSkippedEntrySize: options.maxSkippedEntrySize ?? Number.POSITIVE_INFINITY,
			maxDataDescriptorScanBytes: options.maxDataDescriptorScanBytes ?? Number.POSITIVE_INFINITY,
			maxCompressedSize: options.maxCompressedSize ?? Number.POSITIVE_INFINITY,
			maxUncompressedSize: options.maxUncompressedSize ?? Number.POSITIVE_INFINITY
		};
		this.useCentralDirectory = options.useCentralDirectory ?? true;
		this.allowTruncatedDataDescriptor = options.allowTruncatedDataDescriptor ?? false;
		if (typeof this.useCentralDirectory !== "boolean") throw new TypeError("useCentralDirectory must be a boolean");
		if (typeof this.allowTruncatedDataDescriptor !== "boolean") throw new TypeError("allowTruncatedDataDescriptor must be a boolean");
		for (const [name, limit] of Object.entries(this.limits)) if (limit !== Number.POSITIVE_INFINITY && (!Number.isSafeInteger(limit) || limit <= 0)) throw new RangeError(`${name} must be a positive safe integer or Infinity`);
	}
	checkLimit(limit, size) {
		if (size > this.limits[limit]) throw new ZipLimitError(limit, size, this.limits[limit]);
	}
	resetTraversal() {
		this.scannedBytes = 0;
		this.descriptorScannedBytes = 0;
	}
	consumeBytes(length) {
		this.checkLimit("maxTotalScanBytes", this.scannedBytes + length);
		this.scannedBytes += length;
	}
	readToken(token, input = this.tokenizer) {
		this.consumeBytes(token.len);
		return input.readToken(token);
	}
	ignore(length, input = this.tokenizer) {
		this.consumeBytes(length);
		return input.ignore(length);
	}
	readData(length) {
		this.consumeBytes(length);
		const data = new Uint8Array(length);
		return this.tokenizer.readBuffer(data).then(() => data);
	}
	checkEntrySize(header) {
		this.checkLimit("maxCompressedSize", header.compressedSize);
		this.checkLimit("maxUncompressedSize", header.uncompressedSize);
		if (header.compressedMethod === 0) this.checkLimit("maxUncompressedSize", header.compressedSize);
	}
	async isZip() {
		return await this.peekSignature() === Signature.LocalFileHeader;
	}
	peekSignature() {
		return this.tokenizer.peekToken(UINT32_LE);
	}
	async findEndOfCentralDirectoryLocator() {
		const randomReadTokenizer = this.tokenizer;
		const chunkLength = Math.min(16384, randomReadTokenizer.fileInfo.size);
		const buffer = this.syncBuffer.subarray(0, chunkLength);
		this.consumeBytes(chunkLength);
		await this.tokenizer.readBuffer(buffer, { position: randomReadTokenizer.fileInfo.size - chunkLength });
		for (let i = buffer.length - 4; i >= 0; i--) if (buffer[i] === eocdSignatureBytes[0] && buffer[i + 1] === eocdSignatureBytes[1] && buffer[i + 2] === eocdSignatureBytes[2] && buffer[i + 3] === eocdSignatureBytes[3]) return randomReadTokenizer.fileInfo.size - chunkLength + i;
		return -1;
	}
	async readCentralDirectory() {
		this.resetTraversal();
		const entries = await this.centralDirectoryEntries();
		if (!entries) return;
		const files = [];
		for await (const entry of entries) files.push(entry);
		return files;
	}
	async centralDirectoryEntries() {
		if (!this.tokenizer.supportsRandomAccess()) {
			debug("Cannot reading central-directory without random-read support");
			return;
		}
		debug("Reading central-directory...");
		const pos = this.tokenizer.position;
		try {
			const offset = await this.findEndOfCentralDirectoryLocator();
			if (offset > 0) {
				debug("Central-directory 32-bit signature found");
				this.tokenizer.setPosition(offset);
				const eocdHeader = await this.readToken(EndOfCentralDirectoryRecordToken);
				return this.iterateDirectory(eocdHeader.offsetOfStartOfCd, eocdHeader.sizeOfCd, eocdHeader.nrOfEntriesOfSize);
			}
		} finally {
			this.tokenizer.setPosition(pos);
		}
	}
	async *iterateDirectory(offset, size, count) {
		const source = this.tokenizer;
		const pos = source.position;
		let directory;
		let position = 0;
		try {
			source.setPosition(offset);
			directory = createTokenizerView(source, size);
			for (let n = 0; n < count; ++n) {
				this.checkLimit("maxEntryCount", n + 1);
				directory.setPosition(position);
				const entry = await this.readToken(FileHeader, directory);
				if (entry.signature !== Signature.CentralFileHeader) throw new Error("Expected Central-File-Header signature");
				entry.filename = await this.readToken(new StringType(entry.filenameLength, "utf-8"), directory);
				await this.ignore(entry.extraFieldLength, directory);
				await this.ignore(entry.fileCommentLength, directory);
				position = directory.position;
				yield entry;
			}
		} finally {
			try {
				await directory?.close();
			} finally {
				source.setPosition(pos);
			}
		}
	}
	async unzip(fileCb) {
		this.resetTraversal();
		const entries = this.useCentralDirectory ? await this.centralDirectoryEntries() : void 0;
		if (entries) return this.iterateOverCentralDirectory(entries, fileCb);
		let stop = false;
		let entryCount = 0;
		do {
			const zipHeader = await this.readLocalFileHeader();
			if (!zipHeader) break;
			this.checkLimit("maxEntryCount", ++entryCount);
			const next = fileCb(zipHeader);
			stop = !!next.stop;
			let fileData;
			await this.ignore(zipHeader.extraFieldLength);
			if (next.handler) this.checkEntrySize(zipHeader);
			else this.checkLimit("maxSkippedEntrySize", zipHeader.compressedSize);
			if (zipHeader.dataDescriptor && zipHeader.compressedSize === 0) {
				const chunks = [];
				let totalSize = 0;
				const scanLimit = Math.min(this.limits.maxDataDescriptorScanBytes, this.limits.maxTotalDataDescriptorScanBytes - this.descriptorScannedBytes, this.limits.maxTotalScanBytes - this.scannedBytes, next.handler ? Number.POSITIVE_INFINITY : this.limits.maxSkippedEntrySize, next.handler ? this.limits.maxCompressedSize : Number.POSITIVE_INFINITY, next.handler && zipHeader.compressedMethod === 0 ? this.limits.maxUncompressedSize : Number.POSITIVE_INFINITY);
				debug("Compressed-file-size unknown, scanning for next data-descriptor-signature....");
				while (true) {
					const peekLength = Math.min(syncBufferSize, scanLimit - totalSize + DataDescriptor.len);
					const len = await this.tokenizer.peekBuffer(this.syncBuffer.subarray(0, peekLength), { mayBeLess: true });
					const allowTruncated = this.allowTruncatedDataDescriptor && len < peekLength;
					const nextHeaderIndex = findDescriptor(this.syncBuffer.subarray(0, len), totalSize, allowTruncated);
					if (nextHeaderIndex < 0 && len < DataDescriptor.len && !allowTruncated) throw new Error("Expected data-descriptor-signature before end of input");
					const size = nextHeaderIndex >= 0 ? nextHeaderIndex : allowTruncated ? len : len - DataDescriptor.len + 1;
					if (size === 0) break;
					this.checkLimit("maxDataDescriptorScanBytes", totalSize + size);
					this.checkLimit("maxTotalDataDescriptorScanBytes", this.descriptorScannedBytes + size);
					if (!next.handler) this.checkLimit("maxSkippedEntrySize", totalSize + size);
					if (next.handler) {
						this.checkLimit("maxCompressedSize", totalSize + size);
						if (zipHeader.compressedMethod === 0) this.checkLimit("maxUncompressedSize", totalSize + size);
						if (size > 0) {
							const data = await this.readData(size);
							chunks.push(data);
						}
					} else await this.ignore(size);
					totalSize += size;
					this.descriptorScannedBytes += size;
					if (nextHeaderIndex >= 0) break;
				}
				debug(`Found data-descriptor-signature at pos=${this.tokenizer.position}`);
				if (next.handler) {
					this.checkLimit("maxCompressedSize", totalSize);
					await this.inflate(zipHeader, mergeArrays(chunks), next.handler);
				}
			} else if (next.handler) {
				debug(`Reading compressed-file-data: ${zipHeader.compressedSize} bytes`);
				fileData = await this.readData(zipHeader.compressedSize);
				await this.inflate(zipHeader, fileData, next.handler);
			} else {
				debug(`Ignoring compressed-file-data: ${zipHeader.compressedSize} bytes`);
				await this.ignore(zipHeader.compressedSize);
			}
			debug(`Reading data-descriptor at pos=${this.tokenizer.position}`);
			if (zipHeader.dataDescriptor) {
				if ((await this.readToken(DataDescriptor)).signature !== 134695760) throw new Error(`Expected data-descriptor-signature at position ${this.tokenizer.position - DataDescriptor.len}`);
			}
		} while (!stop);
	}
	async iterateOverCentralDirectory(entries, fileCb) {
		for await (const fileHeader of entries) {
			const next = fileCb(fileHeader);
			if (next.handler) {
				this.tokenizer.setPosition(fileHeader.relativeOffsetOfLocalHeader);
				const zipHeader = await this.readLocalFileHeader();
				if (zipHeader) {
					await this.ignore(zipHeader.extraFieldLength);
					this.checkEntrySize(fileHeader);
					this.checkEntrySize(zipHeader);
					const fileData = await this.readData(fileHeader.compressedSize);
					await this.inflate(zipHeader, fileData, next.handler);
				}
			}
			if (next.stop) break;
		}
	}
	async inflate(zipHeader, fileData, cb) {
		if (zipHeader.compressedMethod === 0) {
			this.checkLimit("maxUncompressedSize", fileData.length);
			return cb(fileData);
		}
		if (zipHeader.compressedMethod !== 8) throw new Error(`Unsupported ZIP compression method: ${zipHeader.compressedMethod}`);
		debug(`Decompress filename=${zipHeader.filename}, compressed-size=${fileData.length}`);
		return cb(await this.decompressDeflateRaw(fileData));
	}
	async decompressDeflateRaw(data) {
		const input = new ReadableStream({ start(controller) {
			controller.enqueue(data);
			controller.close();
		} });
		const ds = new DecompressionStream("deflate-raw");
		const reader = input.pipeThrough(ds).getReader();
		const chunks = [];
		let totalSize = 0;
		try {
			while (true) {
				const { done, value } = await reader.read();
				if (done) break;
				this.checkLimit("maxUncompressedSize", totalSize + value.length);
				totalSize += value.length;
				chunks.push(value);
			}
			this.checkLimit("maxUncompressedSize", totalSize);
			return mergeArrays(chunks);
		} catch (err) {
			await reader.cancel(err).catch(() => {});
			if (err instanceof ZipLimitError) throw err;
			if (err instanceof Error && "code" in err && err.code === "ERR_TRAILING_JUNK_AFTER_STREAM_END") return mergeArrays(chunks);
			const message = err instanceof Error ? `Failed to deflate ZIP entry: ${err.message}` : "Unknown decompression error in ZIP entry";
			throw new TypeError(message);
		} finally {
			reader.releaseLock();
		}
	}
	async readLocalFileHeader() {
		const signature = await this.tokenizer.peekToken(UINT32_LE);
		if (signature === Signature.LocalFileHeader) {
			const header = await this.readToken(LocalFileHeaderToken);
			header.filename = await this.readToken(new StringType(header.filenameLength, "utf-8"));
			return header;
		}
		if (signature === Signature.CentralFileHeader) return false;
		if (signature === 3759263696) throw new Error("Encrypted ZIP");
		throw new Error("Unexpected signature");
	}
};
function findDescriptor(buffer, consumed, allowTruncated) {
	for (let i = 0; i <= buffer.length - (allowTruncated ? 4 : DataDescriptor.len); i++) if (UINT32_LE.get(buffer, i) === Signature.DataDescriptor && (buffer.length - i < 12 || UINT32_LE.get(buffer, i + 8) === consumed + i)) return i;
	return -1;
}
function mergeArrays(chunks) {
	const totalLength = chunks.reduce((acc, curr) => acc + curr.length, 0);
	const mergedArray = new Uint8Array(totalLength);
	let offset = 0;
	for (const chunk of chunks) {
		mergedArray.set(chunk, offset);
		offset += chunk.length;
	}
	return mergedArray;
}
// node_modules/uint8array-extras/index.js
const objectToString = Object.prototype.toString;
const uint8ArrayStringified = "[object Uint8Array]";
const arrayBufferStringified = "[object ArrayBuffer]";
function isType(value, typeConstructor, typeStringified) {
	if (!value) return false;
	if (value.constructor === typeConstructor) return true;
	return objectToString.call(value) === typeStringified;
}
function isUint8Array(value) {
	return isType(value, Uint8Array, uint8ArrayStringified);
}
function isArrayBuffer(value) {
	return isType(value, ArrayBuffer, arrayBufferStringified);
}
function isUint8ArrayOrArrayBuffer(value) {
	return isUint8Array(value) || isArrayBuffer(value);
}
function toUint8ArrayIfArrayBuffer(value) {
	return isArrayBuffer(value) ? new Uint8Array(value) : value;
}
function assertUint8ArrayOrArrayBuffer(value) {
	if (!isUint8ArrayOrArrayBuffer(value)) throw new TypeError(`Expected \`Uint8Array\` or \`ArrayBuffer\`, got \`${typeof value}\``);
}
function concatUint8Arrays(arrays, totalLength) {
	if (arrays.length === 0) return new Uint8Array(0);
	totalLength ??= arrays.reduce((accumulator, currentValue) => accumulator + currentValue.byteLength, 0);
	const returnValue = new Uint8Array(totalLength);
	let offset = 0;
	for (let array of arrays) {
		assertUint8ArrayOrArrayBuffer(array);
		array = toUint8ArrayIfArrayBuffer(array);
		returnValue.set(array, offset);
		offset += array.length;
	}
	return returnValue;
}
new globalThis.TextDecoder("utf8");
new globalThis.TextEncoder();
Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0"));
function getUintBE(view) {
	const { byteLength } = view;
	if (byteLength === 6) return view.getUint16(0) * 2 ** 32 + view.getUint32(2);
	if (byteLength === 5) return view.getUint8(0) * 2 ** 32 + view.getUint32(1);
	if (byteLength === 4) return view.getUint32(0);
	if (byteLength === 3) return view.getUint8(0) * 2 ** 16 + view.getUint16(1);
	if (byteLength === 2) return view.getUint16(0);
	if (byteLength === 1) return view.getUint8(0);
}
// node_modules/file-type/source/tokens.js
function stringToBytes(string, encoding) {
	if (encoding === "utf-16le") {
		const bytes = [];
		for (let index = 0; index < string.length; index++) {
			const code = string.charCodeAt(index);
			bytes.push(code & 255, code >> 8 & 255);
		}
		return bytes;
	}
	if (encoding === "utf-16be") {
		const bytes = [];
		for (let index = 0; index < string.length; index++) {
			const code = string.charCodeAt(index);
			bytes.push(code >> 8 & 255, code & 255);
		}
		return bytes;
	}
	return [...string].map((character) => character.charCodeAt(0));
}
function tarHeaderChecksumMatches(arrayBuffer, offset = 0) {
	const readSum = Number.parseInt(new StringType(6).get(arrayBuffer, 148), 8);
	if (Number.isNaN(readSum)) return false;
	let sum = 256;
	for (let index = offset; index < offset + 148; index++) sum += arrayBuffer[index];
	for (let index = offset + 156; index < offset + 512; index++) sum += arrayBuffer[index];
	return readSum === sum;
}
const uint32SyncSafeToken = {
	get: (buffer, offset) => buffer[offset + 3] & 127 | (buffer[offset + 2] & 127) << 7 | (buffer[offset + 1] & 127) << 14 | (buffer[offset] & 127) << 21,
	len: 4
};
// node_modules/file-type/source/supported.js
const extensions = [
	"jpg",
	"png",
	"apng",
	"gif",
	"webp",
	"flif",
	"xcf",
	"cr2",
	"cr3",
	"orf",
	"arw",
	"dng",
	"nef",
	"rw2",
	"raf",
	"tif",
	"bmp",
	"icns",
	"jxr",
	"psd",
	"indd",
	"zip",
	"tar",
	"rar",
	"gz",
	"bz2",
	"7z",
	"dmg",
	"mp4",
	"mid",
	"mkv",
	"webm",
	"mov",
	"avi",
	"mpg",
	"mp2",
	"mp3",
	"m4a",
	"oga",
	"ogg",
	"ogv",
	"opus",
	"flac",
	"wav",
	"spx",
	"amr",
	"pdf",
	"epub",
	"elf",
	"macho",
	"exe",
	"swf",
	"rtf",
	"wasm",
	"woff",
	"woff2",
	"eot",
	"ttf",
	"otf",
	"ttc",
	"ico",
	"flv",
	"ps",
	"xz",
	"sqlite",
	"nes",
	"crx",
	"xpi",
	"cab",
	"deb",
	"ar",
	"rpm",
	"Z",
	"lz",
	"cfb",
	"mxf",
	"mts",
	"blend",
	"bpg",
	"docx",
	"pptx",
	"xlsx",
	"3gp",
	"3g2",
	"j2c",
	"jp2",
	"jpm",
	"jpx",
	"mj2",
	"aif",
	"caf",
	"qcp",
	"odt",
	"ods",
	"odp",
	"xml",
	"mobi",
	"heic",
	"cur",
	"ktx",
	"ape",
	"wv",
	"dcm",
	"ics",
	"glb",
	"pcap",
	"dsf",
	"dff",
	"lnk",
	"alias",
	"voc",
	"ac3",
	"m4v",
	"m4p",
	"m4b",
	"f4v",
	"f4p",
	"f4b",
	"f4a",
	"mie",
	"asf",
	"ogm",
	"ogx",
	"mpc",
	"arrow",
	"shp",
	"aac",
	"mp1",
	"it",
	"s3m",
	"xm",
	"skp",
	"avif",
	"eps",
	"lzh",
	"pgp",
	"asar",
	"stl",
	"chm",
	"3mf",
	"zst",
	"jxl",
	"vcf",
	"jls",
	"pst",
	"dwg",
	"parquet",
	"class",
	"arj",
	"cpio",
	"ace",
	"avro",
	"icc",
	"fbx",
	"vsdx",
	"vtt",
	"apk",
	"drc",
	"lz4",
	"potx",
	"xltx",
	"dotx",
	"xltm",
	"ott",
	"ots",
	"otp",
	"odg",
	"otg",
	"xlsm",
	"docm",
	"dotm",
	"potm",
	"pptm",
	"jar",
	"jmp",
	"rm",
	"sav",
	"ppsm",
	"ppsx",
	"tar.gz",
	"reg",
	"dat",
	"key",
	"numbers",
	"pages",
	"iso"
];
const main_mimeTypes = [
	"image/jpeg",
	"image/png",
	"image/gif",
	"image/webp",
	"image/flif",
	"image/x-xcf",
	"image/x-canon-cr2",
	"image/x-canon-cr3",
	"image/tiff",
	"image/bmp",
	"image/vnd.ms-photo",
	"image/vnd.adobe.photoshop",
	"application/x-indesign",
	"application/epub+zip",
	"application/x-xpinstall",
	"application/vnd.ms-powerpoint.slideshow.macroenabled.12",
	"application/vnd.oasis.opendocument.text",
	"application/vnd.oasis.opendocument.spreadsheet",
	"application/vnd.oasis.opendocument.presentation",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.openxmlformats-officedocument.presentationml.slideshow",
	"application/zip",
	"application/x-tar",
	"application/x-rar-compressed",
	"application/gzip",
	"application/x-bzip2",
	"application/x-7z-compressed",
	"application/x-apple-diskimage",
	"application/vnd.apache.arrow.file",
	"video/mp4",
	"audio/midi",
	"video/matroska",
	"video/webm",
	"video/quicktime",
	"video/vnd.avi",
	"audio/wav",
	"audio/qcelp",
	"audio/x-ms-asf",
	"video/x-ms-asf",
	"application/vnd.ms-asf",
	"video/mpeg",
	"video/3gpp",
	"audio/mpeg",
	"audio/mp4",
	"video/ogg",
	"audio/ogg",
	"audio/ogg; codecs=opus",
	"application/ogg",
	"audio/flac",
	"audio/ape",
	"audio/wavpack",
	"audio/amr",
	"application/pdf",
	"application/x-elf",
	"application/x-mach-binary",
	"application/x-msdownload",
	"application/x-shockwave-flash",
	"application/rtf",
	"application/wasm",
	"font/woff",
	"font/woff2",
	"application/vnd.ms-fontobject",
	"font/ttf",
	"font/otf",
	"font/collection",
	"image/x-icon",
	"video/x-flv",
	"application/postscript",
	"application/eps",
	"application/x-xz",
	"application/x-sqlite3",
	"application/x-nintendo-nes-rom",
	"application/x-google-chrome-extension",
	"application/vnd.ms-cab-compressed",
	"application/x-deb",
	"application/x-unix-archive",
	"application/x-rpm",
	"application/x-compress",
	"application/lzip",
	"application/x-cfb",
	"application/x-mie",
	"application/mxf",
	"video/mp2t",
	"application/x-blender",
	"image/bpg",
	"image/j2c",
	"image/jp2",
	"image/jpx",
	"image/jpm",
	"image/mj2",
	"audio/aiff",
	"audio/x-caf",
	"application/xml",
	"application/x-mobipocket-ebook",
	"image/heif",
	"image/heif-sequence",
	"image/heic",
	"image/heic-sequence",
	"image/icns",
	"image/ktx",
	"application/dicom",
	"audio/x-musepack",
	"text/calendar",
	"text/vcard",
	"text/vtt",
	"model/gltf-binary",
	"application/vnd.tcpdump.pcap",
	"audio/x-dsf",
	"audio/x-dff",
	"application/x-ms-shortcut",
	"application/x-ft-apple.alias",
	"audio/x-voc",
	"audio/vnd.dolby.dd-raw",
	"audio/x-m4a",
	"image/apng",
	"image/x-olympus-orf",
	"image/x-sony-arw",
	"image/x-adobe-dng",
	"image/x-nikon-nef",
	"image/x-panasonic-rw2",
	"image/x-fujifilm-raf",
	"video/x-m4v",
	"video/3gpp2",
	"application/x-esri-shape",
	"audio/aac",
	"audio/x-it",
	"audio/x-s3m",
	"audio/x-xm",
	"video/MP1S",
	"video/MP2P",
	"application/vnd.sketchup.skp",
	"image/avif",
	"application/x-lzh-compressed",
	"application/pgp-encrypted",
	"application/x-asar",
	"model/stl",
	"application/vnd.ms-htmlhelp",
	"model/3mf",
	"image/jxl",
	"application/zstd",
	"image/jls",
	"application/vnd.ms-outlook",
	"image/vnd.dwg",
	"application/vnd.apache.parquet",
	"application/java-vm",
	"application/x-arj",
	"application/x-cpio",
	"application/x-ace-compressed",
	"application/avro",
	"application/vnd.iccprofile",
	"application/x-ft-fbx",
	"application/vnd.visio",
	"application/vnd.android.package-archive",
	"application/x-ft-draco",
	"application/x-lz4",
	"application/vnd.openxmlformats-officedocument.presentationml.template",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.template",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.template",
	"application/vnd.ms-excel.template.macroenabled.12",
	"application/vnd.oasis.opendocument.text-template",
	"application/vnd.oasis.opendocument.spreadsheet-template",
	"application/vnd.oasis.opendocument.presentation-template",
	"application/vnd.oasis.opendocument.graphics",
	"application/vnd.oasis.opendocument.graphics-template",
	"application/vnd.ms-excel.sheet.macroenabled.12",
	"application/vnd.ms-word.document.macroenabled.12",
	"application/vnd.ms-word.template.macroenabled.12",
	"application/vnd.ms-powerpoint.template.macroenabled.12",
	"application/vnd.ms-powerpoint.presentation.macroenabled.12",
	"application/java-archive",
	"application/vnd.rn-realmedia",
	"application/x-spss-sav",
	"application/x-ms-regedit",
	"application/x-ft-windows-registry-hive",
	"application/x-jmp-data",
	"application/vnd.apple.keynote",
	"application/vnd.apple.numbers",
	"application/vnd.apple.pages",
	"application/x-iso9660-image"
];
// node_modules/file-type/source/parser.js
const maximumUntrustedSkipSizeInBytes = 16777216;
var ParserHardLimitError = class extends Error {};
function getSafeBound(value, maximum, reason) {
	if (!Number.isFinite(value) || value < 0 || value > maximum) throw new ParserHardLimitError(`${reason} has invalid size ${value} (maximum ${maximum} bytes)`);
	return value;
}
async function safeIgnore(tokenizer, length, { maximumLength = maximumUntrustedSkipSizeInBytes, reason = "skip" } = {}) {
	const safeLength = getSafeBound(length, maximumLength, reason);
	await tokenizer.ignore(safeLength);
}
async function safeReadBuffer(tokenizer, buffer, options, { maximumLength = buffer.length, reason = "read" } = {}) {
	const safeLength = getSafeBound(options?.length ?? buffer.length, maximumLength, reason);
	return tokenizer.readBuffer(buffer, {
		...options,
		length: safeLength
	});
}
function checkBytes(buffer, headers, options) {
	options = {
		offset: 0,
		...options
	};
	for (const [index, header] of headers.entries()) if (options.mask) {
		if (header !== (options.mask[index] & buffer[index + options.offset])) return false;
	} else if (header !== buffer[index + options.offset]) return false;
	return true;
}
function hasUnknownFileSize(tokenizer) {
	const fileSize = tokenizer.fileInfo.size;
	return !Number.isFinite(fileSize) || fileSize === Number.MAX_SAFE_INTEGER;
}
function hasExceededUnknownSizeScanBudget(tokenizer, startOffset, maximumBytes) {
	return hasUnknownFileSize(tokenizer) && tokenizer.position - startOffset > maximumBytes;
}
// node_modules/file-type/source/detectors/zip.js
const maximumZipEntrySizeInBytes = 1048576;
const maximumZipEntryCount = 1024;
const maximumZipTextEntrySizeInBytes = maximumZipEntrySizeInBytes;
const recoverableZipErrorMessages = new Set([
	"Unexpected signature",
	"Encrypted ZIP",
	"Expected Central-File-Header signature"
]);
const recoverableZipErrorMessagePrefixes = ["Unsupported ZIP compression method:", "Expected data-descriptor-signature at position "];
const recoverableZipErrorCodes = new Set([
	"Z_BUF_ERROR",
	"Z_DATA_ERROR",
	"ERR_INVALID_STATE"
]);
function isRecoverableZipError(error) {
	if (error instanceof EndOfStreamError) return true;
	if (error instanceof ParserHardLimitError || error instanceof ZipLimitError) return true;
	if (!(error instanceof Error)) return false;
	if (error instanceof TypeError && error.message.startsWith("Failed to deflate ZIP entry:")) return true;
	if (recoverableZipErrorMessages.has(error.message)) return true;
	if (recoverableZipErrorCodes.has(error.code)) return true;
	for (const prefix of recoverableZipErrorMessagePrefixes) if (error.message.startsWith(prefix)) return true;
	return false;
}
function isZipScanLimitError(error) {
	return error instanceof ZipLimitError && [
		"maxTotalScanBytes",
		"maxTotalDataDescriptorScanBytes",
		"maxDataDescriptorScanBytes",
		"maxSkippedEntrySize"
	].includes(error.limit);
}
function canReadZipEntryForDetection(zipHeader, maximumSize = maximumZipEntrySizeInBytes) {
	const sizes = [zipHeader.compressedSize, zipHeader.uncompressedSize];
	for (const size of sizes) if (!Number.isFinite(size) || size < 0 || size > maximumSize) return false;
	return true;
}
function createIWorkZipDetectionState() {
	return {
		hasDocumentEntry: false,
		hasMasterSlideEntry: false,
		hasTablesEntry: false,
		hasCalculationEngineEntry: false
	};
}
function updateIWorkZipDetectionStateFromFilename(iWorkState, filename) {
	if (filename === "Index/Document.iwa") iWorkState.hasDocumentEntry = true;
	if (filename.startsWith("Index/MasterSlide")) iWorkState.hasMasterSlideEntry = true;
	if (filename.startsWith("Index/Tables/")) iWorkState.hasTablesEntry = true;
	if (filename === "Index/CalculationEngine.iwa") iWorkState.hasCalculationEngineEntry = true;
}
function getIWorkFileTypeFromZipEntries(iWorkState) {
	if (!iWorkState.hasDocumentEntry) return;
	if (iWorkState.hasMasterSlideEntry) return {
		ext: "key",
		mime: "application/vnd.apple.keynote"
	};
	if (iWorkState.hasTablesEntry) return {
		ext: "numbers",
		mime: "application/vnd.apple.numbers"
	};
	return {
		ext: "pages",
		mime: "application/vnd.apple.pages"
	};
}
function getFileTypeFromMimeType(mimeType) {
	mimeType = mimeType.toLowerCase();
	switch (mimeType) {
		case "application/epub+zip": return {
			ext: "epub",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.text": return {
			ext: "odt",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.text-template": return {
			ext: "ott",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.spreadsheet": return {
			ext: "ods",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.spreadsheet-template": return {
			ext: "ots",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.presentation": return {
			ext: "odp",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.presentation-template": return {
			ext: "otp",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.graphics": return {
			ext: "odg",
			mime: mimeType
		};
		case "application/vnd.oasis.opendocument.graphics-template": return {
			ext: "otg",
			mime: mimeType
		};
		case "application/vnd.openxmlformats-officedocument.presentationml.slideshow": return {
			ext: "ppsx",
			mime: mimeType
		};
		case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": return {
			ext: "xlsx",
			mime: mimeType
		};
		case "application/vnd.ms-excel.sheet.macroenabled": return {
			ext: "xlsm",
			mime: "application/vnd.ms-excel.sheet.macroenabled.12"
		};
		case "application/vnd.openxmlformats-officedocument.spreadsheetml.template": return {
			ext: "xltx",
			mime: mimeType
		};
		case "application/vnd.ms-excel.template.macroenabled": return {
			ext: "xltm",
			mime: "application/vnd.ms-excel.template.macroenabled.12"
		};
		case "application/vnd.ms-powerpoint.slideshow.macroenabled": return {
			ext: "ppsm",
			mime: "application/vnd.ms-powerpoint.slideshow.macroenabled.12"
		};
		case "application/vnd.openxmlformats-officedocument.wordprocessingml.document": return {
			ext: "docx",
			mime: mimeType
		};
		case "application/vnd.ms-word.document.macroenabled": return {
			ext: "docm",
			mime: "application/vnd.ms-word.document.macroenabled.12"
		};
		case "application/vnd.openxmlformats-officedocument.wordprocessingml.template": return {
			ext: "dotx",
			mime: mimeType
		};
		case "application/vnd.ms-word.template.macroenabledtemplate": return {
			ext: "dotm",
			mime: "application/vnd.ms-word.template.macroenabled.12"
		};
		case "application/vnd.openxmlformats-officedocument.presentationml.template": return {
			ext: "potx",
			mime: mimeType
		};
		case "application/vnd.ms-powerpoint.template.macroenabled": return {
			ext: "potm",
			mime: "application/vnd.ms-powerpoint.template.macroenabled.12"
		};
		case "application/vnd.openxmlformats-officedocument.presentationml.presentation": return {
			ext: "pptx",
			mime: mimeType
		};
		case "application/vnd.ms-powerpoint.presentation.macroenabled": return {
			ext: "pptm",
			mime: "application/vnd.ms-powerpoint.presentation.macroenabled.12"
		};
		case "application/vnd.ms-visio.drawing": return {
			ext: "vsdx",
			mime: "application/vnd.visio"
		};
		case "application/vnd.ms-package.3dmanufacturing-3dmodel+xml": return {
			ext: "3mf",
			mime: "model/3mf"
		};
	}
}
function createOpenXmlZipDetectionState() {
	return {
		hasContentTypesEntry: false,
		hasParsedContentTypesEntry: false,
		isParsingContentTypes: false,
		hasUnparseableContentTypes: false,
		hasWordDirectory: false,
		hasPresentationDirectory: false,
		hasSpreadsheetDirectory: false,
		hasThreeDimensionalModelEntry: false
	};
}
function updateOpenXmlZipDetectionStateFromFilename(openXmlState, filename) {
	if (filename.startsWith("word/")) openXmlState.hasWordDirectory = true;
	if (filename.startsWith("ppt/")) openXmlState.hasPresentationDirectory = true;
	if (filename.startsWith("xl/")) openXmlState.hasSpreadsheetDirectory = true;
	if (filename.startsWith("3D/") && filename.endsWith(".model")) openXmlState.hasThreeDimensionalModelEntry = true;
}
function getOpenXmlFileTypeFromDirectoryNames(openXmlState) {
	if (openXmlState.hasWordDirectory) return {
		ext: "docx",
		mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	};
	if (openXmlState.hasPresentationDirectory) return {
		ext: "pptx",
		mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	};
	if (openXmlState.hasSpreadsheetDirectory) return {
		ext: "xlsx",
		mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	};
	if (openXmlState.hasThreeDimensionalModelEntry) return {
		ext: "3mf",
		mime: "model/3mf"
	};
}
function getOpenXmlFileTypeFromZipEntries(openXmlState) {
	if (!openXmlState.hasContentTypesEntry || openXmlState.hasUnparseableContentTypes || openXmlState.isParsingContentTypes || openXmlState.hasParsedContentTypesEntry) return;
	return getOpenXmlFileTypeFromDirectoryNames(openXmlState);
}
function getOpenXmlMimeTypeFromContentTypesXml(xmlContent) {
	const endPosition = xmlContent.indexOf(".main+xml\"");
	if (endPosition === -1) {
		const mimeType = "application/vnd.ms-package.3dmanufacturing-3dmodel+xml";
		if (xmlContent.includes(`ContentType="${mimeType}"`)) return mimeType;
		return;
	}
	const truncatedContent = xmlContent.slice(0, endPosition);
	const firstQuotePosition = truncatedContent.lastIndexOf("\"");
	return truncatedContent.slice(firstQuotePosition + 1);
}
async function detectZip(tokenizer) {
	let fileType;
	const openXmlState = createOpenXmlZipDetectionState();
	const iWorkState = createIWorkZipDetectionState();
	try {
		await new ZipHandler(tokenizer, {
			useCentralDirectory: false,
			allowTruncatedDataDescriptor: true,
			maxEntryCount: maximumZipEntryCount,
			maxTotalScanBytes: hasUnknownFileSize(tokenizer) ? maximumUntrustedSkipSizeInBytes : Infinity,
			maxTotalDataDescriptorScanBytes: hasUnknownFileSize(tokenizer) ? Infinity : maximumZipEntrySizeInBytes,
			maxSkippedEntrySize: hasUnknownFileSize(tokenizer) ? maximumZipEntrySizeInBytes : Infinity,
			maxDataDescriptorScanBytes: maximumZipEntrySizeInBytes,
			maxCompressedSize: maximumZipTextEntrySizeInBytes,
			maxUncompressedSize: maximumZipTextEntrySizeInBytes
		}).unzip((zipHeader) => {
			updateOpenXmlZipDetectionStateFromFilename(openXmlState, zipHeader.filename);
			updateIWorkZipDetectionStateFromFilename(iWorkState, zipHeader.filename);
			if (iWorkState.hasDocumentEntry && (iWorkState.hasMasterSlideEntry || iWorkState.hasTablesEntry)) {
				fileType = getIWorkFileTypeFromZipEntries(iWorkState);
				return { stop: true };
			}
			const isOpenXmlContentTypesEntry = zipHeader.filename === "[Content_Types].xml";
			const openXmlFileTypeFromEntries = getOpenXmlFileTypeFromZipEntries(openXmlState);
			if (!isOpenXmlContentTypesEntry && openXmlFileTypeFromEntries) {
				fileType = openXmlFileTypeFromEntries;
				return { stop: true };
			}
			switch (zipHeader.filename) {
				case "META-INF/mozilla.rsa":
					fileType = {
						ext: "xpi",
						mime: "application/x-xpinstall"
					};
					return { stop: true };
				case "META-INF/MANIFEST.MF":
					fileType = {
						ext: "jar",
						mime: "application/java-archive"
					};
					return { stop: true };
				case "mimetype":
					if (!canReadZipEntryForDetection(zipHeader, maximumZipTextEntrySizeInBytes)) return {};
					return {
						async handler(fileData) {
							fileType = getFileTypeFromMimeType(new TextDecoder("utf-8").decode(fileData).trim());
						},
						stop: true
					};
				case "[Content_Types].xml":
					openXmlState.hasContentTypesEntry = true;
					if (!canReadZipEntryForDetection(zipHeader, maximumZipTextEntrySizeInBytes)) {
						openXmlState.hasUnparseableContentTypes = true;
						return {};
					}
					openXmlState.isParsingContentTypes = true;
					return {
						async handler(fileData) {
							const mimeType = getOpenXmlMimeTypeFromContentTypesXml(new TextDecoder("utf-8").decode(fileData));
							if (mimeType) fileType = getFileTypeFromMimeType(mimeType);
							openXmlState.hasParsedContentTypesEntry = true;
							openXmlState.isParsingContentTypes = false;
						},
						stop: true
					};
				default:
					if (/classes\d*\.dex/v.test(zipHeader.filename)) {
						fileType = {
							ext: "apk",
							mime: "application/vnd.android.package-archive"
						};
						return { stop: true };
					}
					return {};
			}
		});
	} catch (error) {
		if (!isRecoverableZipError(error)) throw error;
		if (openXmlState.isParsingContentTypes) {
			openXmlState.isParsingContentTypes = false;
			openXmlState.hasUnparseableContentTypes = true;
		}
		if (!fileType && (error instanceof EndOfStreamError || error instanceof ParserHardLimitError || isZipScanLimitError(error)) && !openXmlState.hasContentTypesEntry) fileType = getOpenXmlFileTypeFromDirectoryNames(openXmlState);
	}
	const iWorkFileType = hasUnknownFileSize(tokenizer) && iWorkState.hasDocumentEntry && !iWorkState.hasMasterSlideEntry && !iWorkState.hasTablesEntry && !iWorkState.hasCalculationEngineEntry ? void 0 : getIWorkFileTypeFromZipEntries(iWorkState);
	return fileType ?? getOpenXmlFileTypeFromZipEntries(openXmlState) ?? iWorkFileType ?? {
		ext: "zip",
		mime: "application/zip"
	};
}
// node_modules/file-type/source/detectors/ebml.js
const maximumEbmlDocumentTypeSizeInBytes = 64;
const maximumEbmlElementPayloadSizeInBytes = 1048576;
const maximumEbmlElementCount = 256;
async function detectEbml(tokenizer) {
	async function readField(input) {
		const msb = await input.peekNumber(UINT8);
		let mask = 128;
		let ic = 0;
		while (mask !== 0 && (msb & mask) === 0) {
			++ic;
			mask >>= 1;
		}
		const id = new Uint8Array(ic + 1);
		await safeReadBuffer(input, id, void 0, {
			maximumLength: id.length,
			reason: "EBML field"
		});
		return id;
	}
	async function readElement(input) {
		const idField = await readField(input);
		const lengthField = await readField(input);
		lengthField[0] ^= 128 >> lengthField.length - 1;
		const nrLength = Math.min(6, lengthField.length);
		const idView = new DataView(idField.buffer);
		const lengthView = new DataView(lengthField.buffer, lengthField.length - nrLength, nrLength);
		return {
			id: getUintBE(idView),
			len: getUintBE(lengthView)
		};
	}
	const isUnknownFileSize = hasUnknownFileSize(tokenizer);
	async function readChildren(header) {
		let ebmlElementCount = 0;
		while (header.remaining > 0) {
			ebmlElementCount++;
			if (ebmlElementCount > maximumEbmlElementCount) return;
			if (hasExceededUnknownSizeScanBudget(tokenizer, ebmlScanStart, 16777216)) return;
			const previousPosition = tokenizer.position;
			const element = await readElement(header);
			if (element.id === 17026) {
				if (element.len > maximumEbmlDocumentTypeSizeInBytes) return;
				const documentTypeLength = getSafeBound(element.len, maximumEbmlDocumentTypeSizeInBytes, "EBML DocType");
				return (await header.readToken(new StringType(documentTypeLength))).split("\0", 1)[0];
			}
			if (isUnknownFileSize && (!Number.isFinite(element.len) || element.len < 0 || element.len > maximumEbmlElementPayloadSizeInBytes)) return;
			await safeIgnore(header, element.len, {
				maximumLength: isUnknownFileSize ? maximumEbmlElementPayloadSizeInBytes : tokenizer.fileInfo.size,
				reason: "EBML payload"
			});
			if (tokenizer.position <= previousPosition) return;
		}
	}
	const rootElement = await readElement(tokenizer);
	const ebmlScanStart = tokenizer.position;
	const header = createTokenizerView(tokenizer, rootElement.len);
	let documentType;
	try {
		documentType = await readChildren(header);
	} catch (error) {
		if (error instanceof TokenizerBoundaryError) return;
		throw error;
	} finally {
		await header.close();
	}
	switch (documentType) {
		case "webm": return {
			ext: "webm",
			mime: "video/webm"
		};
		case "matroska": return {
			ext: "mkv",
			mime: "video/matroska"
		};
	}
}
// node_modules/file-type/source/detectors/png.js
const maximumPngChunkCount = 512;
const maximumPngStreamScanBudgetInBytes = 16777216;
const maximumPngChunkSizeInBytes = 1048576;
function isPngAncillaryChunk(type) {
	return (type.codePointAt(0) & 32) !== 0;
}
async function detectPng(tokenizer) {
	const pngFileType = {
		ext: "png",
		mime: "image/png"
	};
	const apngFileType = {
		ext: "apng",
		mime: "image/apng"
	};
	await tokenizer.ignore(8);
	async function readChunkHeader() {
		return {
			length: await tokenizer.readToken(INT32_BE),
			type: await tokenizer.readToken(new StringType(4, "latin1"))
		};
	}
	const isUnknownPngStream = hasUnknownFileSize(tokenizer);
	const pngScanStart = tokenizer.position;
	let pngChunkCount = 0;
	let hasSeenImageHeader = false;
	do {
		pngChunkCount++;
		if (pngChunkCount > maximumPngChunkCount) break;
		if (hasExceededUnknownSizeScanBudget(tokenizer, pngScanStart, maximumPngStreamScanBudgetInBytes)) break;
		const previousPosition = tokenizer.position;
		const chunk = await readChunkHeader();
		if (chunk.length < 0) return;
		if (chunk.type === "IHDR") {
			if (chunk.length !== 13) return;
			hasSeenImageHeader = true;
		}
		switch (chunk.type) {
			case "IDAT": return pngFileType;
			case "acTL": return apngFileType;
			default:
				if (!hasSeenImageHeader && chunk.type !== "CgBI") return;
				if (isUnknownPngStream && chunk.length > maximumPngChunkSizeInBytes) return hasSeenImageHeader && isPngAncillaryChunk(chunk.type) ? pngFileType : void 0;
				try {
					await safeIgnore(tokenizer, chunk.length + 4, {
						maximumLength: isUnknownPngStream ? 1048580 : tokenizer.fileInfo.size,
						reason: "PNG chunk payload"
					});
				} catch (error) {
					if (!isUnknownPngStream && (error instanceof ParserHardLimitError || error instanceof EndOfStreamError)) return pngFileType;
					throw error;
				}
		}
		if (tokenizer.position <= previousPosition) break;
	} while (tokenizer.position + 8 < tokenizer.fileInfo.size);
	return pngFileType;
}
// node_modules/file-type/source/detectors/asf.js
const maximumAsfHeaderObjectCount = 512;
const maximumAsfHeaderPayloadSizeInBytes = 1048576;
async function detectAsf(tokenizer) {
	let isMalformedAsf = false;
	try {
		async function readHeader() {
			const guid = new Uint8Array(16);
			await safeReadBuffer(tokenizer, guid, void 0, {
				maximumLength: guid.length,
				reason: "ASF header GUID"
			});
			return {
				id: guid,
				size: Number(await tokenizer.readToken(UINT64_LE))
			};
		}
		await safeIgnore(tokenizer, 30, {
			maximumLength: 30,
			reason: "ASF header prelude"
		});
		const isUnknownFileSize = hasUnknownFileSize(tokenizer);
		const asfHeaderScanStart = tokenizer.position;
		let asfHeaderObjectCount = 0;
		while (tokenizer.position + 24 < tokenizer.fileInfo.size) {
			asfHeaderObjectCount++;
			if (asfHeaderObjectCount > maximumAsfHeaderObjectCount) break;
			if (hasExceededUnknownSizeScanBudget(tokenizer, asfHeaderScanStart, 16777216)) break;
			const previousPosition = tokenizer.position;
			const header = await readHeader();
			let payload = header.size - 24;
			if (!Number.isFinite(payload) || payload < 0) {
				isMalformedAsf = true;
				break;
			}
			if (checkBytes(header.id, [
				145,
				7,
				220,
				183,
				183,
				169,
				207,
				17,
				142,
				230,
				0,
				192,
				12,
				32,
				83,
				101
			])) {
				const typeId = new Uint8Array(16);
				payload -= await safeReadBuffer(tokenizer, typeId, void 0, {
					maximumLength: typeId.length,
					reason: "ASF stream type GUID"
				});
				if (checkBytes(typeId, [
					64,
					158,
					105,
					248,
					77,
					91,
					207,
					17,
					168,
					253,
					0,
					128,
					95,
					92,
					68,
					43
				])) return {
					ext: "asf",
					mime: "audio/x-ms-asf"
				};
				if (checkBytes(typeId, [
					192,
					239,
					25,
					188,
					77,
					91,
					207,
					17,
					168,
					253,
					0,
					128,
					95,
					92,
					68,
					43
				])) return {
					ext: "asf",
					mime: "video/x-ms-asf"
				};
				break;
			}
			if (isUnknownFileSize && payload > maximumAsfHeaderPayloadSizeInBytes) {
				isMalformedAsf = true;
				break;
			}
			await safeIgnore(tokenizer, payload, {
				maximumLength: isUnknownFileSize ? maximumAsfHeaderPayloadSizeInBytes : tokenizer.fileInfo.size,
				reason: "ASF header payload"
			});
			if (tokenizer.position <= previousPosition) {
				isMalformedAsf = true;
				break;
			}
		}
	} catch (error) {
		if (error instanceof EndOfStreamError || error instanceof ParserHardLimitError) {
			if (hasUnknownFileSize(tokenizer)) isMalformedAsf = true;
		} else throw error;
	}
	if (isMalformedAsf) return;
	return {
		ext: "asf",
		mime: "application/vnd.ms-asf"
	};
}
// node_modules/file-type/source/index.js
const reasonableDetectionSizeInBytes = 4100;
const maximumMpegOffsetTolerance = 4096;
const maximumNestedGzipDetectionSizeInBytes = maximumUntrustedSkipSizeInBytes;
const maximumNestedGzipProbeDepth = 1;
const unknownSizeGzipProbeTimeoutInMilliseconds = 100;
const maximumId3HeaderSizeInBytes = maximumUntrustedSkipSizeInBytes;
const maximumTiffTagCount = 512;
const maximumDetectionReentryCount = 256;
const maximumTiffStreamIfdOffsetInBytes = 1048576;
const maximumTiffIfdOffsetInBytes = maximumUntrustedSkipSizeInBytes;
function normalizeSampleSize(sampleSize) {
	if (!Number.isFinite(sampleSize)) return reasonableDetectionSizeInBytes;
	return Math.max(1, Math.trunc(sampleSize));
}
function normalizeMpegOffsetTolerance(mpegOffsetTolerance) {
	if (!Number.isFinite(mpegOffsetTolerance)) return 0;
	return Math.max(0, Math.min(maximumMpegOffsetTolerance, Math.trunc(mpegOffsetTolerance)));
}
function getKnownFileSizeOrMaximum(fileSize) {
	if (!Number.isFinite(fileSize)) return Number.MAX_SAFE_INTEGER;
	return Math.max(0, fileSize);
}
function importAtRuntime(specifier) {
	return __nccwpck_require__(765)(specifier);
}
function toDefaultStream(stream) {
	return stream.pipeThrough(new TransformStream());
}
function readWithSignal(reader, signal) {
	if (signal === void 0) return reader.read();
	signal.throwIfAborted();
	return Promise.race([reader.read(), new Promise((_resolve, reject) => {
		signal.addEventListener("abort", () => {
			reject(signal.reason);
			reader.cancel(signal.reason).catch(() => {});
		}, { once: true });
	})]);
}
function createByteLimitedReadableStream(stream, maximumBytes) {
	const reader = stream.getReader();
	let emittedBytes = 0;
	let isSourceDone = false;
	let isSourceCanceled = false;
	const cancelSource = async (reason) => {
		if (isSourceDone || isSourceCanceled) return;
		isSourceCanceled = true;
		await reader.cancel(reason);
	};
	return new ReadableStream({
		async pull(controller) {
			if (emittedBytes >= maximumBytes) {
				controller.close();
				await cancelSource();
				return;
			}
			const { done, value } = await reader.read();
			if (done || !value) {
				isSourceDone = true;
				controller.close();
				return;
			}
			const remainingBytes = maximumBytes - emittedBytes;
			if (value.length > remainingBytes) {
				controller.enqueue(value.subarray(0, remainingBytes));
				emittedBytes += remainingBytes;
				controller.close();
				await cancelSource();
				return;
			}
			controller.enqueue(value);
			emittedBytes += value.length;
		},
		async cancel(reason) {
			await cancelSource(reason);
		}
	});
}
async function fileTypeFromBlob(blob, options) {
	return new FileTypeParser(options).fromBlob(blob);
}
var FileTypeParser = class FileTypeParser {
	buffer;
	tokenizer;
	detectionReentryCount;
	constructor(options) {
		const normalizedMpegOffsetTolerance = normalizeMpegOffsetTolerance(options?.mpegOffsetTolerance);
		const maxBufferSize = options?.maxBufferSize ?? Infinity;
		if (maxBufferSize !== Infinity && (!Number.isSafeInteger(maxBufferSize) || maxBufferSize <= 0)) throw new RangeError("maxBufferSize must be a positive safe integer or Infinity");
		this.options = {
			...options,
			mpegOffsetTolerance: normalizedMpegOffsetTolerance
		};
		this.detectors = [
			...this.options.customDetectors ?? [],
			{
				id: "core",
				detect: (tokenizer) => this.detectConfident(tokenizer)
			},
			{
				id: "core.imprecise",
				detect: (tokenizer) => this.detectImprecise(tokenizer)
			}
		];
		this.tokenizerOptions = {
			abortSignal: this.options.signal,
			maxBufferSize
		};
		this.gzipProbeDepth = 0;
	}
	getTokenizerOptions() {
		return { ...this.tokenizerOptions };
	}
	createTokenizerFromWebStream(stream) {
		return fromWebStream(toDefaultStream(stream), this.getTokenizerOptions());
	}
	async parseTokenizer(tokenizer, detectionReentryCount = 0) {
		this.detectionReentryCount = detectionReentryCount;
		const initialPosition = tokenizer.position;
		for (const detector of this.detectors) {
			let fileType;
			try {
				fileType = await detector.detect(tokenizer);
			} catch (error) {
				if (error instanceof EndOfStreamError) return;
				if (error instanceof ParserHardLimitError) return;
				throw error;
			}
			if (fileType) return fileType;
			if (initialPosition !== tokenizer.position) return;
		}
	}
	async fromTokenizer(tokenizer) {
		try {
			return await this.parseTokenizer(tokenizer);
		} finally {
			await tokenizer.close();
		}
	}
	async fromBuffer(input) {
		if (!(input instanceof Uint8Array || input instanceof ArrayBuffer)) throw new TypeError(`Expected the \`input\` argument to be of type \`Uint8Array\` or \`ArrayBuffer\`, got \`${typeof input}\``);
		const buffer = input instanceof Uint8Array ? input : new Uint8Array(input);
		if (!(buffer?.length > 1)) return;
		return this.fromTokenizer(fromBuffer(buffer, this.getTokenizerOptions()));
	}
	async fromBlob(blob) {
		this.options.signal?.throwIfAborted();
		const tokenizer = fromBlob(blob, this.getTokenizerOptions());
		return this.fromTokenizer(tokenizer);
	}
	async fromStream(stream) {
		this.options.signal?.throwIfAborted();
		const tokenizer = this.createTokenizerFromWebStream(stream);
		return this.fromTokenizer(tokenizer);
	}
	async fromFile(path) {
		this.options.signal?.throwIfAborted();
		const { fromFile, NotRegularFileError } = await importAtRuntime("strtok3");
		let tokenizer;
		try {
			tokenizer = await fromFile(path, {
				...this.getTokenizerOptions(),
				regularFileOnly: true
			});
		} catch (error) {
			if (error instanceof NotRegularFileError) return;
			throw error;
		}
		return this.fromTokenizer(tokenizer);
	}
	async toDetectionStream(stream, options) {
		this.options.signal?.throwIfAborted();
		const sampleSize = normalizeSampleSize(options?.sampleSize ?? 4100);
		let detectedFileType;
		let hasStreamEnded = false;
		const reader = stream.getReader();
		const chunks = [];
		let totalSize = 0;
		try {
			while (totalSize < sampleSize) {
				const { value, done } = await readWithSignal(reader, this.options.signal);
				if (done || !value) {
					hasStreamEnded = true;
					break;
				}
				chunks.push(value);
				totalSize += value.length;
			}
			if (!hasStreamEnded && totalSize === sampleSize) {
				const { value, done } = await readWithSignal(reader, this.options.signal);
				if (done || !value) hasStreamEnded = true;
				else {
					chunks.push(value);
					totalSize += value.length;
				}
			}
		} finally {
			reader.releaseLock();
		}
		if (totalSize > 0) {
			const sample = chunks.length === 1 ? chunks[0] : concatUint8Arrays(chunks);
			try {
				detectedFileType = await this.fromBuffer(sample.subarray(0, sampleSize));
			} catch (error) {
				if (!(error instanceof EndOfStreamError)) throw error;
				detectedFileType = void 0;
			}
			if (!hasStreamEnded && detectedFileType?.ext === "pages") detectedFileType = {
				ext: "zip",
				mime: "application/zip"
			};
		}
		const transformStream = new TransformStream({
			start(controller) {
				for (const chunk of chunks) controller.enqueue(chunk);
			},
			transform(chunk, controller) {
				controller.enqueue(chunk);
			}
		});
		const newStream = stream.pipeThrough(transformStream);
		newStream.fileType = detectedFileType;
		return newStream;
	}
	async detectGzip(tokenizer) {
		if (this.gzipProbeDepth >= maximumNestedGzipProbeDepth) return {
			ext: "gz",
			mime: "application/gzip"
		};
		const limitedInflatedStream = createByteLimitedReadableStream(new GzipHandler(tokenizer).inflate(), maximumNestedGzipDetectionSizeInBytes);
		const hasUnknownSize = hasUnknownFileSize(tokenizer);
		let timeout;
		let probeSignal;
		let probeParser;
		let compressedFileType;
		if (hasUnknownSize) {
			const timeoutController = new AbortController();
			timeout = setTimeout(() => {
				timeoutController.abort(new DOMException(`Operation timed out after ${unknownSizeGzipProbeTimeoutInMilliseconds} ms`, "TimeoutError"));
			}, unknownSizeGzipProbeTimeoutInMilliseconds);
			probeSignal = this.options.signal === void 0 ? timeoutController.signal : AbortSignal.any([this.options.signal, timeoutController.signal]);
			probeParser = new FileTypeParser({
				...this.options,
				signal: probeSignal
			});
			probeParser.gzipProbeDepth = this.gzipProbeDepth + 1;
		} else this.gzipProbeDepth++;
		try {
			compressedFileType = await (probeParser ?? this).fromStream(limitedInflatedStream);
		} catch (error) {
			if (error?.name === "AbortError" && probeSignal?.reason?.name !== "TimeoutError") throw error;
		} finally {
			clearTimeout(timeout);
			if (!hasUnknownSize) this.gzipProbeDepth--;
		}
		if (compressedFileType?.ext === "tar") return {
			ext: "tar.gz",
			mime: "application/gzip"
		};
		return {
			ext: "gz",
			mime: "application/gzip"
		};
	}
	check(header, options) {
		return checkBytes(this.buffer, header, options);
	}
	checkString(header, options) {
		return this.check(stringToBytes(header, options?.encoding), options);
	}
	async detectConfident(tokenizer) {
		this.buffer = new Uint8Array(reasonableDetectionSizeInBytes);
		if (tokenizer.fileInfo.size === void 0) tokenizer.fileInfo.size = Number.MAX_SAFE_INTEGER;
		this.tokenizer = tokenizer;
		if (hasUnknownFileSize(tokenizer)) {
			await tokenizer.peekBuffer(this.buffer, {
				length: 3,
				mayBeLess: true
			});
			if (this.check([
				31,
				139,
				8
			])) return this.detectGzip(tokenizer);
		}
		await tokenizer.peekBuffer(this.buffer, {
			length: 32,
			mayBeLess: true
		});
		if (this.check([66, 77])) return {
			ext: "bmp",
			mime: "image/bmp"
		};
		if (this.check([11, 119])) return {
			ext: "ac3",
			mime: "audio/vnd.dolby.dd-raw"
		};
		if (this.check([120, 1])) return {
			ext: "dmg",
			mime: "application/x-apple-diskimage"
		};
		if (this.check([77, 90])) return {
			ext: "exe",
			mime: "application/x-msdownload"
		};
		if (this.check([37, 33])) {
			await tokenizer.peekBuffer(this.buffer, {
				length: 24,
				mayBeLess: true
			});
			if (this.checkString("PS-Adobe-", { offset: 2 }) && this.checkString(" EPSF-", { offset: 14 })) return {
				ext: "eps",
				mime: "application/eps"
			};
			return {
				ext: "ps",
				mime: "application/postscript"
			};
		}
		if (this.check([31, 160]) || this.check([31, 157])) return {
			ext: "Z",
			mime: "application/x-compress"
		};
		if (this.check([199, 113])) return {
			ext: "cpio",
			mime: "application/x-cpio"
		};
		if (this.check([96, 234])) return {
			ext: "arj",
			mime: "application/x-arj"
		};
		if (this.check([
			239,
			187,
			191
		])) {
			if (this.detectionReentryCount >= maximumDetectionReentryCount) return;
			this.detectionReentryCount++;
			await this.tokenizer.ignore(3);
			return this.detectConfident(tokenizer);
		}
		if (this.check([
			71,
			73,
			70
		])) return {
			ext: "gif",
			mime: "image/gif"
		};
		if (this.check([
			73,
			73,
			188
		])) return {
			ext: "jxr",
			mime: "image/vnd.ms-photo"
		};
		if (this.check([
			31,
			139,
			8
		])) return this.detectGzip(tokenizer);
		if (this.check([
			66,
			90,
			104
		])) return {
			ext: "bz2",
			mime: "application/x-bzip2"
		};
		if (this.checkString("ID3")) {
			await safeIgnore(tokenizer, 6, {
				maximumLength: 6,
				reason: "ID3 header prefix"
			});
			const id3HeaderLength = await tokenizer.readToken(uint32SyncSafeToken);
			const isUnknownFileSize = hasUnknownFileSize(tokenizer);
			if (!Number.isFinite(id3HeaderLength) || id3HeaderLength < 0 || isUnknownFileSize && (id3HeaderLength > maximumId3HeaderSizeInBytes || tokenizer.position + id3HeaderLength > maximumId3HeaderSizeInBytes)) return;
			if (tokenizer.position + id3HeaderLength > tokenizer.fileInfo.size) {
				if (isUnknownFileSize) return;
				return {
					ext: "mp3",
					mime: "audio/mpeg"
				};
			}
			try {
				await safeIgnore(tokenizer, id3HeaderLength, {
					maximumLength: isUnknownFileSize ? maximumId3HeaderSizeInBytes : tokenizer.fileInfo.size,
					reason: "ID3 payload"
				});
			} catch (error) {
				if (error instanceof EndOfStreamError) return;
				throw error;
			}
			if (this.detectionReentryCount >= maximumDetectionReentryCount) return;
			this.detectionReentryCount++;
			return this.parseTokenizer(tokenizer, this.detectionReentryCount);
		}
		if (this.checkString("MP+")) return {
			ext: "mpc",
			mime: "audio/x-musepack"
		};
		if ((this.buffer[0] === 67 || this.buffer[0] === 70) && this.check([87, 83], { offset: 1 })) return {
			ext: "swf",
			mime: "application/x-shockwave-flash"
		};
		if (this.check([
			255,
			216,
			255
		])) {
			if (this.check([247], { offset: 3 })) return {
				ext: "jls",
				mime: "image/jls"
			};
			return {
				ext: "jpg",
				mime: "image/jpeg"
			};
		}
		if (this.check([
			79,
			98,
			106,
			1
		])) return {
			ext: "avro",
			mime: "application/avro"
		};
		if (this.checkString("FLIF")) return {
			ext: "flif",
			mime: "image/flif"
		};
		if (this.checkString("8BPS")) return {
			ext: "psd",
			mime: "image/vnd.adobe.photoshop"
		};
		if (this.checkString("MPCK")) return {
			ext: "mpc",
			mime: "audio/x-musepack"
		};
		if (this.checkString("FORM")) return {
			ext: "aif",
			mime: "audio/aiff"
		};
		if (this.checkString("caff") && this.check([0, 1], { offset: 4 }) && this.checkString("desc", { offset: 8 })) return {
			ext: "caf",
			mime: "audio/x-caf"
		};
		if (this.checkString("icns", { offset: 0 })) return {
			ext: "icns",
			mime: "image/icns"
		};
		if (this.check([
			80,
			75,
			3,
			4
		])) return detectZip(tokenizer);
		if (this.checkString("OggS")) {
			await tokenizer.ignore(28);
			const type = new Uint8Array(8);
			await tokenizer.readBuffer(type);
			if (checkBytes(type, [
				79,
				112,
				117,
				115,
				72,
				101,
				97,
				100
			])) return {
				ext: "opus",
				mime: "audio/ogg; codecs=opus"
			};
			if (checkBytes(type, [
				128,
				116,
				104,
				101,
				111,
				114,
				97
			])) return {
				ext: "ogv",
				mime: "video/ogg"
			};
			if (checkBytes(type, [
				1,
				118,
				105,
				100,
				101,
				111,
				0
			])) return {
				ext: "ogm",
				mime: "video/ogg"
			};
			if (checkBytes(type, [
				127,
				70,
				76,
				65,
				67
			])) return {
				ext: "oga",
				mime: "audio/ogg"
			};
			if (checkBytes(type, [
				83,
				112,
				101,
				101,
				120,
				32,
				32
			])) return {
				ext: "spx",
				mime: "audio/ogg"
			};
			if (checkBytes(type, [
				1,
				118,
				111,
				114,
				98,
				105,
				115
			])) return {
				ext: "ogg",
				mime: "audio/ogg"
			};
			return {
				ext: "ogx",
				mime: "application/ogg"
			};
		}
		if (this.check([80, 75]) && [
			3,
			5,
			7
		].includes(this.buffer[2]) && [
			4,
			6,
			8
		].includes(this.buffer[3])) return {
			ext: "zip",
			mime: "application/zip"
		};
		if (this.checkString("MThd")) return {
			ext: "mid",
			mime: "audio/midi"
		};
		if (this.checkString("wOFF") && (this.check([
			0,
			1,
			0,
			0
		], { offset: 4 }) || this.checkString("OTTO", { offset: 4 }))) return {
			ext: "woff",
			mime: "font/woff"
		};
		if (this.checkString("wOF2") && (this.check([
			0,
			1,
			0,
			0
		], { offset: 4 }) || this.checkString("OTTO", { offset: 4 }))) return {
			ext: "woff2",
			mime: "font/woff2"
		};
		if (this.check([
			212,
			195,
			178,
			161
		]) || this.check([
			161,
			178,
			195,
			212
		])) return {
			ext: "pcap",
			mime: "application/vnd.tcpdump.pcap"
		};
		if (this.checkString("DSD ")) return {
			ext: "dsf",
			mime: "audio/x-dsf"
		};
		if (this.checkString("LZIP")) return {
			ext: "lz",
			mime: "application/lzip"
		};
		if (this.checkString("fLaC")) return {
			ext: "flac",
			mime: "audio/flac"
		};
		if (this.check([
			66,
			80,
			71,
			251
		])) return {
			ext: "bpg",
			mime: "image/bpg"
		};
		if (this.checkString("wvpk")) return {
			ext: "wv",
			mime: "audio/wavpack"
		};
		if (this.checkString("%PDF")) return {
			ext: "pdf",
			mime: "application/pdf"
		};
		if (this.check([
			0,
			97,
			115,
			109
		])) return {
			ext: "wasm",
			mime: "application/wasm"
		};
		if (this.check([73, 73])) {
			const fileType = await this.readTiffHeader(false);
			if (fileType) return fileType;
		}
		if (this.check([77, 77])) {
			const fileType = await this.readTiffHeader(true);
			if (fileType) return fileType;
		}
		if (this.checkString("MAC ")) return {
			ext: "ape",
			mime: "audio/ape"
		};
		if (this.check([
			26,
			69,
			223,
			163
		])) return detectEbml(tokenizer);
		if (this.checkString("SQLi")) return {
			ext: "sqlite",
			mime: "application/x-sqlite3"
		};
		if (this.check([
			78,
			69,
			83,
			26
		])) return {
			ext: "nes",
			mime: "application/x-nintendo-nes-rom"
		};
		if (this.checkString("Cr24")) return {
			ext: "crx",
			mime: "application/x-google-chrome-extension"
		};
		if (this.checkString("MSCF") || this.checkString("ISc(")) return {
			ext: "cab",
			mime: "application/vnd.ms-cab-compressed"
		};
		if (this.check([
			237,
			171,
			238,
			219
		])) return {
			ext: "rpm",
			mime: "application/x-rpm"
		};
		if (this.check([
			197,
			208,
			211,
			198
		])) return {
			ext: "eps",
			mime: "application/eps"
		};
		if (this.check([
			40,
			181,
			47,
			253
		])) return {
			ext: "zst",
			mime: "application/zstd"
		};
		if (this.check([
			127,
			69,
			76,
			70
		])) return {
			ext: "elf",
			mime: "application/x-elf"
		};
		if (this.check([
			33,
			66,
			68,
			78
		])) return {
			ext: "pst",
			mime: "application/vnd.ms-outlook"
		};
		if (this.checkString("PAR1") || this.checkString("PARE")) return {
			ext: "parquet",
			mime: "application/vnd.apache.parquet"
		};
		if (this.checkString("ttcf")) return {
			ext: "ttc",
			mime: "font/collection"
		};
		if (this.check([
			254,
			237,
			250,
			206
		]) || this.check([
			254,
			237,
			250,
			207
		]) || this.check([
			206,
			250,
			237,
			254
		]) || this.check([
			207,
			250,
			237,
			254
		])) return {
			ext: "macho",
			mime: "application/x-mach-binary"
		};
		if (this.check([
			4,
			34,
			77,
			24
		])) return {
			ext: "lz4",
			mime: "application/x-lz4"
		};
		if (this.checkString("regf")) return {
			ext: "dat",
			mime: "application/x-ft-windows-registry-hive"
		};
		if (this.checkString("$FL2") || this.checkString("$FL3")) return {
			ext: "sav",
			mime: "application/x-spss-sav"
		};
		if (this.check([
			79,
			84,
			84,
			79,
			0
		])) return {
			ext: "otf",
			mime: "font/otf"
		};
		if (this.checkString("#!AMR")) return {
			ext: "amr",
			mime: "audio/amr"
		};
		if (this.checkString(String.raw`{\rtf`)) return {
			ext: "rtf",
			mime: "application/rtf"
		};
		if (this.check([
			70,
			76,
			86,
			1
		])) return {
			ext: "flv",
			mime: "video/x-flv"
		};
		if (this.checkString("IMPM")) return {
			ext: "it",
			mime: "audio/x-it"
		};
		if (this.checkString("-lh0-", { offset: 2 }) || this.checkString("-lh1-", { offset: 2 }) || this.checkString("-lh2-", { offset: 2 }) || this.checkString("-lh3-", { offset: 2 }) || this.checkString("-lh4-", { offset: 2 }) || this.checkString("-lh5-", { offset: 2 }) || this.checkString("-lh6-", { offset: 2 }) || this.checkString("-lh7-", { offset: 2 }) || this.checkString("-lzs-", { offset: 2 }) || this.checkString("-lz4-", { offset: 2 }) || this.checkString("-lz5-", { offset: 2 }) || this.checkString("-lhd-", { offset: 2 })) return {
			ext: "lzh",
			mime: "application/x-lzh-compressed"
		};
		if (this.check([
			0,
			0,
			1,
			186
		])) {
			if (this.check([33], {
				offset: 4,
				mask: [241]
			})) return {
				ext: "mpg",
				mime: "video/MP1S"
			};
			if (this.check([68], {
				offset: 4,
				mask: [196]
			})) return {
				ext: "mpg",
				mime: "video/MP2P"
			};
		}
		if (this.checkString("ITSF")) return {
			ext: "chm",
			mime: "application/vnd.ms-htmlhelp"
		};
		if (this.check([
			202,
			254,
			186,
			190
		])) {
			const machOArchitectureCount = UINT32_BE.get(this.buffer, 4);
			if (machOArchitectureCount > 0 && machOArchitectureCount <= 30) return {
				ext: "macho",
				mime: "application/x-mach-binary"
			};
			if (UINT16_BE.get(this.buffer, 6) > 30) return {
				ext: "class",
				mime: "application/java-vm"
			};
		}
		if (this.checkString(".RMF")) return {
			ext: "rm",
			mime: "application/vnd.rn-realmedia"
		};
		if (this.checkString("DRACO")) return {
			ext: "drc",
			mime: "application/x-ft-draco"
		};
		if (this.check([
			253,
			55,
			122,
			88,
			90,
			0
		])) return {
			ext: "xz",
			mime: "application/x-xz"
		};
		if (this.checkString("<?xml ")) return {
			ext: "xml",
			mime: "application/xml"
		};
		if (this.check([
			55,
			122,
			188,
			175,
			39,
			28
		])) return {
			ext: "7z",
			mime: "application/x-7z-compressed"
		};
		if (this.check([
			82,
			97,
			114,
			33,
			26,
			7
		]) && (this.buffer[6] === 0 || this.buffer[6] === 1)) return {
			ext: "rar",
			mime: "application/x-rar-compressed"
		};
		if (this.checkString("solid ")) return {
			ext: "stl",
			mime: "model/stl"
		};
		if (this.checkString("AC")) {
			const version = new StringType(4, "latin1").get(this.buffer, 2);
			if (/^\d+$/v.test(version) && version >= 1e3 && version <= 1050) return {
				ext: "dwg",
				mime: "image/vnd.dwg"
			};
		}
		if (this.checkString("070707")) return {
			ext: "cpio",
			mime: "application/x-cpio"
		};
		if (this.checkString("BLENDER")) return {
			ext: "blend",
			mime: "application/x-blender"
		};
		if (this.checkString("!<arch>")) {
			await tokenizer.ignore(8);
			if (await tokenizer.readToken(new StringType(13, "ascii")) === "debian-binary") return {
				ext: "deb",
				mime: "application/x-deb"
			};
			return {
				ext: "ar",
				mime: "application/x-unix-archive"
			};
		}
		if (this.checkString("WEBVTT") && [
			"\n",
			"\r",
			"	",
			" ",
			"\0"
		].some((char7) => this.checkString(char7, { offset: 6 }))) return {
			ext: "vtt",
			mime: "text/vtt"
		};
		if (this.check([
			137,
			80,
			78,
			71,
			13,
			10,
			26,
			10
		])) return detectPng(tokenizer);
		if (this.check([
			65,
			82,
			82,
			79,
			87,
			49,
			0,
			0
		])) return {
			ext: "arrow",
			mime: "application/vnd.apache.arrow.file"
		};
		if (this.check([
			103,
			108,
			84,
			70,
			2,
			0,
			0,
			0
		])) return {
			ext: "glb",
			mime: "model/gltf-binary"
		};
		if (this.check([
			102,
			114,
			101,
			101
		], { offset: 4 }) || this.check([
			109,
			100,
			97,
			116
		], { offset: 4 }) || this.check([
			109,
			111,
			111,
			118
		], { offset: 4 }) || this.check([
			119,
			105,
			100,
			101
		], { offset: 4 })) return {
			ext: "mov",
			mime: "video/quicktime"
		};
		if (this.check([
			73,
			73,
			82,
			79,
			8,
			0,
			0,
			0,
			24
		])) return {
			ext: "orf",
			mime: "image/x-olympus-orf"
		};
		if (this.checkString("gimp xcf ")) return {
			ext: "xcf",
			mime: "image/x-xcf"
		};
		if (this.checkString("ftyp", { offset: 4 }) && (this.buffer[8] & 96) !== 0) {
			const brandMajor = new StringType(4, "latin1").get(this.buffer, 8).replace("\0", " ").trim();
			switch (brandMajor) {
				case "avif":
				case "avis": return {
					ext: "avif",
					mime: "image/avif"
				};
				case "mif1": return {
					ext: "heic",
					mime: "image/heif"
				};
				case "msf1": return {
					ext: "heic",
					mime: "image/heif-sequence"
				};
				case "heic":
				case "heix": return {
					ext: "heic",
					mime: "image/heic"
				};
				case "hevc":
				case "hevx": return {
					ext: "heic",
					mime: "image/heic-sequence"
				};
				case "qt": return {
					ext: "mov",
					mime: "video/quicktime"
				};
				case "M4V":
				case "M4VH":
				case "M4VP": return {
					ext: "m4v",
					mime: "video/x-m4v"
				};
				case "M4P": return {
					ext: "m4p",
					mime: "video/mp4"
				};
				case "M4B": return {
					ext: "m4b",
					mime: "audio/mp4"
				};
				case "M4A": return {
					ext: "m4a",
					mime: "audio/x-m4a"
				};
				case "F4V": return {
					ext: "f4v",
					mime: "video/mp4"
				};
				case "F4P": return {
					ext: "f4p",
					mime: "video/mp4"
				};
				case "F4A": return {
					ext: "f4a",
					mime: "audio/mp4"
				};
				case "F4B": return {
					ext: "f4b",
					mime: "audio/mp4"
				};
				case "crx": return {
					ext: "cr3",
					mime: "image/x-canon-cr3"
				};
				default:
					if (brandMajor.startsWith("3g")) {
						if (brandMajor.startsWith("3g2")) return {
							ext: "3g2",
							mime: "video/3gpp2"
						};
						return {
							ext: "3gp",
							mime: "video/3gpp"
						};
					}
					return {
						ext: "mp4",
						mime: "video/mp4"
					};
			}
		}
		if (this.checkString("REGEDIT4\r\n")) return {
			ext: "reg",
			mime: "application/x-ms-regedit"
		};
		if (this.check([
			82,
			73,
			70,
			70
		])) {
			if (this.checkString("WEBP", { offset: 8 })) return {
				ext: "webp",
				mime: "image/webp"
			};
			if (this.check([
				65,
				86,
				73
			], { offset: 8 })) return {
				ext: "avi",
				mime: "video/vnd.avi"
			};
			if (this.check([
				87,
				65,
				86,
				69
			], { offset: 8 })) return {
				ext: "wav",
				mime: "audio/wav"
			};
			if (this.check([
				81,
				76,
				67,
				77
			], { offset: 8 })) return {
				ext: "qcp",
				mime: "audio/qcelp"
			};
		}
		if (this.check([
			73,
			73,
			85,
			0,
			24,
			0,
			0,
			0,
			136,
			231,
			116,
			216
		])) return {
			ext: "rw2",
			mime: "image/x-panasonic-rw2"
		};
		if (this.check([
			48,
			38,
			178,
			117,
			142,
			102,
			207,
			17,
			166,
			217
		])) return detectAsf(tokenizer);
		if (this.check([
			171,
			75,
			84,
			88,
			32,
			49,
			49,
			187,
			13,
			10,
			26,
			10
		])) return {
			ext: "ktx",
			mime: "image/ktx"
		};
		if ((this.check([
			126,
			16,
			4
		]) || this.check([
			126,
			24,
			4
		])) && this.check([
			48,
			77,
			73,
			69
		], { offset: 4 })) return {
			ext: "mie",
			mime: "application/x-mie"
		};
		if (this.check([
			39,
			10,
			0,
			0,
			0,
			0,
			0,
			0,
			0,
			0,
			0,
			0
		], { offset: 2 })) return {
			ext: "shp",
			mime: "application/x-esri-shape"
		};
		if (this.check([
			255,
			79,
			255,
			81
		])) return {
			ext: "j2c",
			mime: "image/j2c"
		};
		if (this.check([
			0,
			0,
			0,
			12,
			106,
			80,
			32,
			32,
			13,
			10,
			135,
			10
		])) {
			await tokenizer.ignore(20);
			switch (await tokenizer.readToken(new StringType(4, "ascii"))) {
				case "jp2 ": return {
					ext: "jp2",
					mime: "image/jp2"
				};
				case "jpx ": return {
					ext: "jpx",
					mime: "image/jpx"
				};
				case "jpm ": return {
					ext: "jpm",
					mime: "image/jpm"
				};
				case "mjp2": return {
					ext: "mj2",
					mime: "image/mj2"
				};
				default: return;
			}
		}
		if (this.check([255, 10]) || this.check([
			0,
			0,
			0,
			12,
			74,
			88,
			76,
			32,
			13,
			10,
			135,
			10
		])) return {
			ext: "jxl",
			mime: "image/jxl"
		};
		if (this.check([254, 255])) {
			if (this.checkString("<?xml ", {
				offset: 2,
				encoding: "utf-16be"
			})) return {
				ext: "xml",
				mime: "application/xml"
			};
			return;
		}
		if (this.check([
			208,
			207,
			17,
			224,
			161,
			177,
			26,
			225
		])) return {
			ext: "cfb",
			mime: "application/x-cfb"
		};
		if (this.checkString("FRM8") && this.checkString("DSD ", { offset: 12 })) return {
			ext: "dff",
			mime: "audio/x-dff"
		};
		await tokenizer.peekBuffer(this.buffer, {
			length: Math.min(256, tokenizer.fileInfo.size),
			mayBeLess: true
		});
		if (this.check([
			97,
			99,
			115,
			112
		], { offset: 36 })) return {
			ext: "icc",
			mime: "application/vnd.iccprofile"
		};
		if (this.checkString("**ACE", { offset: 7 }) && this.checkString("**", { offset: 12 })) return {
			ext: "ace",
			mime: "application/x-ace-compressed"
		};
		if (this.checkString("BEGIN:")) {
			if (this.checkString("VCARD", { offset: 6 })) return {
				ext: "vcf",
				mime: "text/vcard"
			};
			if (this.checkString("VCALENDAR", { offset: 6 })) return {
				ext: "ics",
				mime: "text/calendar"
			};
		}
		if (this.checkString("FUJIFILMCCD-RAW")) return {
			ext: "raf",
			mime: "image/x-fujifilm-raf"
		};
		if (this.checkString("Extended Module:")) return {
			ext: "xm",
			mime: "audio/x-xm"
		};
		if (this.checkString("Creative Voice File")) return {
			ext: "voc",
			mime: "audio/x-voc"
		};
		if (this.check([
			4,
			0,
			0,
			0
		]) && this.buffer.length >= 16) {
			const jsonSize = new DataView(this.buffer.buffer).getUint32(12, true);
			if (jsonSize > 12 && this.buffer.length >= jsonSize + 16) try {
				const header = new TextDecoder().decode(this.buffer.subarray(16, jsonSize + 16));
				if (JSON.parse(header).files) return {
					ext: "asar",
					mime: "application/x-asar"
				};
			} catch {}
		}
		if (this.check([
			6,
			14,
			43,
			52,
			2,
			5,
			1,
			1,
			13,
			1,
			2,
			1,
			1,
			2
		])) return {
			ext: "mxf",
			mime: "application/mxf"
		};
		if (this.checkString("SCRM", { offset: 44 })) return {
			ext: "s3m",
			mime: "audio/x-s3m"
		};
		if (this.check([71]) && this.check([71], { offset: 188 })) return {
			ext: "mts",
			mime: "video/mp2t"
		};
		if (this.check([71], { offset: 4 }) && this.check([71], { offset: 196 })) return {
			ext: "mts",
			mime: "video/mp2t"
		};
		if (this.check([
			66,
			79,
			79,
			75,
			77,
			79,
			66,
			73
		], { offset: 60 })) return {
			ext: "mobi",
			mime: "application/x-mobipocket-ebook"
		};
		if (this.check([
			68,
			73,
			67,
			77
		], { offset: 128 })) return {
			ext: "dcm",
			mime: "application/dicom"
		};
		if (this.check([
			76,
			0,
			0,
			0,
			1,
			20,
			2,
			0,
			0,
			0,
			0,
			0,
			192,
			0,
			0,
			0,
			0,
			0,
			0,
			70
		])) return {
			ext: "lnk",
			mime: "application/x-ms-shortcut"
		};
		if (this.check([
			98,
			111,
			111,
			107,
			0,
			0,
			0,
			0,
			109,
			97,
			114,
			107,
			0,
			0,
			0,
			0
		])) return {
			ext: "alias",
			mime: "application/x-ft-apple.alias"
		};
		if (this.checkString("Kaydara FBX Binary  \0")) return {
			ext: "fbx",
			mime: "application/x-ft-fbx"
		};
		if (this.check([76, 80], { offset: 34 }) && (this.check([
			0,
			0,
			1
		], { offset: 8 }) || this.check([
			1,
			0,
			2
		], { offset: 8 }) || this.check([
			2,
			0,
			2
		], { offset: 8 }))) return {
			ext: "eot",
			mime: "application/vnd.ms-fontobject"
		};
		if (this.check([
			6,
			6,
			237,
			245,
			216,
			29,
			70,
			229,
			189,
			49,
			239,
			231,
			254,
			116,
			183,
			29
		])) return {
			ext: "indd",
			mime: "application/x-indesign"
		};
		if (this.check([
			255,
			255,
			0,
			0,
			7,
			0,
			0,
			0,
			4,
			0,
			0,
			0,
			1,
			0,
			1,
			0
		]) || this.check([
			0,
			0,
			255,
			255,
			0,
			0,
			0,
			7,
			0,
			0,
			0,
			4,
			0,
			1,
			0,
			1
		])) return {
			ext: "jmp",
			mime: "application/x-jmp-data"
		};
		await tokenizer.peekBuffer(this.buffer, {
			length: Math.min(512, tokenizer.fileInfo.size),
			mayBeLess: true
		});
		if (this.checkString("ustar", { offset: 257 }) && (this.checkString("\0", { offset: 262 }) || this.checkString(" ", { offset: 262 })) || this.check([
			0,
			0,
			0,
			0,
			0,
			0
		], { offset: 257 }) && tarHeaderChecksumMatches(this.buffer)) return {
			ext: "tar",
			mime: "application/x-tar"
		};
		if (this.check([255, 254])) {
			const encoding = "utf-16le";
			if (this.checkString("<?xml ", {
				offset: 2,
				encoding
			})) return {
				ext: "xml",
				mime: "application/xml"
			};
			if (this.check([255, 14], { offset: 2 }) && this.checkString("SketchUp Model", {
				offset: 4,
				encoding
			})) return {
				ext: "skp",
				mime: "application/vnd.sketchup.skp"
			};
			if (this.checkString("Windows Registry Editor Version 5.00\r\n", {
				offset: 2,
				encoding
			})) return {
				ext: "reg",
				mime: "application/x-ms-regedit"
			};
			return;
		}
		if (this.checkString("-----BEGIN PGP MESSAGE-----")) return {
			ext: "pgp",
			mime: "application/pgp-encrypted"
		};
		const isoStandardIdentifierOffset = 32769;
		const isoStandardIdentifierLength = 5;
		if (tokenizer.supportsRandomAccess() && tokenizer.fileInfo.size >= 32774) {
			const isoStandardIdentifier = new Uint8Array(isoStandardIdentifierLength);
			await tokenizer.peekBuffer(isoStandardIdentifier, {
				position: isoStandardIdentifierOffset,
				length: isoStandardIdentifierLength,
				mayBeLess: true
			});
			if (checkBytes(isoStandardIdentifier, stringToBytes("CD001"))) return {
				ext: "iso",
				mime: "application/x-iso9660-image"
			};
		}
	}
	async detectImprecise(tokenizer) {
		this.buffer = new Uint8Array(reasonableDetectionSizeInBytes);
		const fileSize = getKnownFileSizeOrMaximum(tokenizer.fileInfo.size);
		await tokenizer.peekBuffer(this.buffer, {
			length: Math.min(8, fileSize),
			mayBeLess: true
		});
		if (this.check([
			0,
			0,
			1,
			186
		]) || this.check([
			0,
			0,
			1,
			179
		])) return {
			ext: "mpg",
			mime: "video/mpeg"
		};
		if (this.check([
			0,
			1,
			0,
			0,
			0
		])) return {
			ext: "ttf",
			mime: "font/ttf"
		};
		if (this.check([
			0,
			0,
			1,
			0
		])) return {
			ext: "ico",
			mime: "image/x-icon"
		};
		if (this.check([
			0,
			0,
			2,
			0
		])) return {
			ext: "cur",
			mime: "image/x-icon"
		};
		await tokenizer.peekBuffer(this.buffer, {
			length: Math.min(4 + this.options.mpegOffsetTolerance, fileSize),
			mayBeLess: true
		});
		if (this.buffer.length >= 4 + this.options.mpegOffsetTolerance) for (let depth = 0; depth <= this.options.mpegOffsetTolerance; ++depth) {
			const type = this.scanMpeg(depth);
			if (type) return type;
		}
	}
	async readTiffTag(isBigEndian) {
		const tagId = await this.tokenizer.readToken(isBigEndian ? UINT16_BE : UINT16_LE);
		await this.tokenizer.ignore(10);
		switch (tagId) {
			case 50341: return {
				ext: "arw",
				mime: "image/x-sony-arw"
			};
			case 50706: return {
				ext: "dng",
				mime: "image/x-adobe-dng"
			};
		}
	}
	async readTiffIFD(isBigEndian) {
		const numberOfTags = await this.tokenizer.readToken(isBigEndian ? UINT16_BE : UINT16_LE);
		if (numberOfTags > maximumTiffTagCount) return;
		if (hasUnknownFileSize(this.tokenizer) && 2 + numberOfTags * 12 > maximumTiffIfdOffsetInBytes) return;
		for (let n = 0; n < numberOfTags; ++n) {
			const fileType = await this.readTiffTag(isBigEndian);
			if (fileType) return fileType;
		}
	}
	async readTiffHeader(isBigEndian) {
		const tiffFileType = {
			ext: "tif",
			mime: "image/tiff"
		};
		const version = (isBigEndian ? UINT16_BE : UINT16_LE).get(this.buffer, 2);
		const ifdOffset = (isBigEndian ? UINT32_BE : UINT32_LE).get(this.buffer, 4);
		if (version === 42) {
			if (ifdOffset >= 6) {
				if (this.checkString("CR", { offset: 8 })) return {
					ext: "cr2",
					mime: "image/x-canon-cr2"
				};
				if (ifdOffset >= 8) {
					const someId1 = (isBigEndian ? UINT16_BE : UINT16_LE).get(this.buffer, 8);
					const someId2 = (isBigEndian ? UINT16_BE : UINT16_LE).get(this.buffer, 10);
					if (someId1 === 28 && someId2 === 254 || someId1 === 31 && someId2 === 11) return {
						ext: "nef",
						mime: "image/x-nikon-nef"
					};
				}
			}
			if (hasUnknownFileSize(this.tokenizer) && ifdOffset > maximumTiffStreamIfdOffsetInBytes) return tiffFileType;
			const maximumTiffOffset = hasUnknownFileSize(this.tokenizer) ? maximumTiffIfdOffsetInBytes : this.tokenizer.fileInfo.size;
			try {
				await safeIgnore(this.tokenizer, ifdOffset, {
					maximumLength: maximumTiffOffset,
					reason: "TIFF IFD offset"
				});
			} catch (error) {
				if (error instanceof EndOfStreamError) return;
				throw error;
			}
			let fileType;
			try {
				fileType = await this.readTiffIFD(isBigEndian);
			} catch (error) {
				if (error instanceof EndOfStreamError) return;
				throw error;
			}
			return fileType ?? tiffFileType;
		}
		if (version === 43) return tiffFileType;
	}
	scanMpeg(offset) {
		if (this.check([255, 224], {
			offset,
			mask: [255, 224]
		})) {
			if (this.check([16], {
				offset: offset + 1,
				mask: [22]
			})) return {
				ext: "aac",
				mime: "audio/aac"
			};
			if (this.check([255, 254], { offset })) return;
			if (this.check([8], {
				offset: offset + 1,
				mask: [24]
			})) return;
			if (this.check([240], {
				offset: offset + 2,
				mask: [240]
			})) return;
			if (this.check([12], {
				offset: offset + 2,
				mask: [12]
			})) return;
			if (this.check([2], {
				offset: offset + 1,
				mask: [6]
			})) return {
				ext: "mp3",
				mime: "audio/mpeg"
			};
			if (this.check([4], {
				offset: offset + 1,
				mask: [6]
			})) return {
				ext: "mp2",
				mime: "audio/mpeg"
			};
			if (this.check([6], {
				offset: offset + 1,
				mask: [6]
			})) return {
				ext: "mp1",
				mime: "audio/mpeg"
			};
		}
	}
};
new Set(extensions);
new Set(main_mimeTypes);
// src/media/tracks.ts
const TRACKS = {
	iso: isoTracks,
	matroska: matroskaTracks,
	ogg: oggTracks,
	asf: asfTracks
};
async function readTrackKind(container, handle, size) {
	let found;
	for await (const kind of TRACKS[container](createReader(handle), size)) {
		if (kind === "video") return kind;
		found = kind;
	}
	return found;
}
const BLOCK_BYTES = 4096;
const MAX_READS = 1e6;
function createReader(handle) {
	let start = 0;
	let block = Buffer.alloc(0);
	let reads = 0;
	return async (position, length) => {
		reads += 1;
		if (reads > MAX_READS) throw new RangeError("The file has too many headers.");
		if (position < start || position + length > start + block.length) {
			const bytes = await readAt(handle, position, Math.max(length, BLOCK_BYTES));
			block = Buffer.from(bytes.buffer, 0, bytes.length);
			start = position;
		}
		return block.subarray(position - start, position - start + length);
	};
}
const ISO_PATH = [
	"moov",
	"trak",
	"mdia",
	"hdlr"
];
const ISO_HANDLERS = {
	vide: "video",
	soun: "audio"
};
async function* isoTracks(read, end, { start, depth } = {
	start: 0,
	depth: 0
}) {
	for (let at = start; at + 8 <= end;) {
		const header = await read(at, 16);
		if (header.length < 8) return;
		const isLong = header.readUInt32BE() === 1;
		if (isLong && header.length < 16) return;
		const headerBytes = isLong ? 16 : 8;
		const size = (isLong ? Number(header.readBigUInt64BE(8)) : header.readUInt32BE()) || end - at;
		if (size < headerBytes) return;
		const content = at + headerBytes;
		if (header.toString("latin1", 4, 8) === ISO_PATH[depth]) {
			if (depth < ISO_PATH.length - 1) yield* isoTracks(read, Math.min(at + size, end), {
				start: content,
				depth: depth + 1
			});
			else {
				const kind = ISO_HANDLERS[(await read(content + 8, 4)).toString("latin1")];
				if (kind) yield kind;
			}
		}
		at += size;
	}
}
const TRACK_TYPE = 131;
const MATROSKA_PARENTS = new Set([
	408125543,
	374648427,
	174
]);
const MATROSKA_TYPES = {
	1: "video",
	2: "audio",
	3: "video"
};
async function* matroskaTracks(read, end) {
	for (let at = 0; at < end;) {
		const header = await read(at, 12);
		const idBytes = vintBytes(header, 0);
		const sizeBytes = vintBytes(header, idBytes);
		if (idBytes > 4 || sizeBytes > 8 || idBytes + sizeBytes > header.length) return;
		const id = header.readUIntBE(0, idBytes);
		const size = vintValue(header.subarray(idBytes, idBytes + sizeBytes));
		const content = at + idBytes + sizeBytes;
		if (id === TRACK_TYPE) {
			const kind = MATROSKA_TYPES[(await read(content + (size ?? 1) - 1, 1))[0] ?? 0];
			if (kind) yield kind;
		}
		at = MATROSKA_PARENTS.has(id) || size === void 0 ? content : content + size;
	}
}
function vintBytes(header, at) {
	return Math.clz32(header[at] ?? 0) - 23;
}
function vintValue(bytes) {
	const bits = 7n * BigInt(bytes.length);
	const value = BigInt(`0x${bytes.toString("hex")}`) & (1n << bits) - 1n;
	return value === (1n << bits) - 1n ? void 0 : Number(value);
}
const OGG_CODECS = [
	["theora", "video"],
	["daala", "video"],
	["video", "video"],
	["OVP80", "video"],
	["BBCD", "video"],
	["vorbis", "audio"],
	["OpusHead", "audio"],
	["FLAC", "audio"],
	["Speex", "audio"],
	["audio", "audio"]
];
const OGG_FIRST_PAGE = 2;
async function* oggTracks(read, end) {
	for (let at = 0; at + 27 <= end;) {
		const header = await read(at, 282);
		const segments = header[26] ?? 0;
		if (header.toString("latin1", 0, 4) !== "OggS" || ((header[5] ?? 0) & OGG_FIRST_PAGE) === 0) return;
		const content = at + 27 + segments;
		const codec = (await read(content, 8)).toString("latin1");
		const kind = OGG_CODECS.find(([start]) => codec.startsWith(start))?.[1];
		if (kind) yield kind;
		at = content + header.subarray(27, 27 + segments).reduce((sum, length) => sum + length, 0);
	}
}
const ASF_VIDEO = Buffer.from("c0ef19bc4d5bcf11a8fd00805f5c442b", "hex");
const ASF_AUDIO = Buffer.from("409e69f84d5bcf11a8fd00805f5c442b", "hex");
const MAX_ASF_HEADER_BYTES = 1048576;
async function* asfTracks(read, end) {
	const start = await read(0, 24);
	if (start.length < 24) return;
	const header = await read(0, Math.min(Number(start.readBigUInt64LE(16)), MAX_ASF_HEADER_BYTES, end));
	if (header.includes(ASF_VIDEO)) yield "video";
	if (header.includes(ASF_AUDIO)) yield "audio";
}
// src/media/sniff.ts
const HEAD_BYTES = 65536;
const MAX_READ_BYTES = 4194304;
async function readHead(handle, size) {
	return readAt(handle, 0, Math.min(size, HEAD_BYTES));
}
async function sniff(handle, { size, head, extension }) {
	const text = sniffText(head, isTextExtension(extension));
	if (text !== void 0) return text;
	try {
		const result = await fileTypeFromBlob(new FileBlob(handle, 0, size), { maxBufferSize: MAX_READ_BYTES });
		const found = refine(result && {
			extension: result.ext,
			mime: result.mime
		}, head);
		const tracks = found && await tracksOf(found, handle, size);
		return found && tracks ? {
			...found,
			tracks
		} : found;
	} catch (error) {
		if (error instanceof Error && "syscall" in error) throw error;
		return;
	}
}
function refine(found, head) {
	const latin = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, PDF_HEADER_WITHIN)).toString("latin1");
	if (found === void 0 && latin.includes("%PDF-")) return {
		extension: "pdf",
		mime: "application/pdf"
	};
	if (found?.extension === "mov" && latin.slice(4, 8) !== "ftyp") return {
		...found,
		extension: "moov"
	};
	if (found?.mime.startsWith("image/heif")) return {
		...found,
		extension: "heif"
	};
	return found;
}
const BRANDS = {
	m4v: "video",
	f4v: "video",
	m4a: "audio",
	m4b: "audio",
	f4a: "audio",
	f4b: "audio"
};
async function tracksOf({ extension, mime }, handle, size) {
	const container = containerOf(extension);
	if (!container || BRANDS[extension] === "video") return BRANDS[extension];
	const tracks = await readTrackKind(container, handle, size) ?? BRANDS[extension];
	return mime.startsWith("image/") && tracks === "audio" ? void 0 : tracks;
}
var FileBlob = class FileBlob extends Blob {
	size;
	#handle;
	#start;
	constructor(handle, start, end) {
		super([]);
		this.size = Math.max(0, end - start);
		this.#handle = handle;
		this.#start = start;
	}
	slice(start = 0, end = this.size) {
		return new FileBlob(this.#handle, this.#start + start, this.#start + Math.min(end, this.size));
	}
	async arrayBuffer() {
		const bytes = await readAt(this.#handle, this.#start, this.size);
		return bytes.buffer.slice(0, bytes.length);
	}
};
const PDF_HEADER_WITHIN = 1024;
function sniffText(head, isTextByName) {
	const text = decode(head, isTextByName);
	if (text === void 0) return void 0;
	if (isTextByName ? text.startsWith("%PDF-") : text.slice(0, PDF_HEADER_WITHIN).includes("%PDF-")) return {
		extension: "pdf",
		mime: "application/pdf"
	};
	const begun = text.trimStart();
	if (begun.startsWith("{\\rtf")) return {
		extension: "rtf",
		mime: "application/rtf"
	};
	if (begun.startsWith("%!PS")) return {
		extension: /^%!PS-Adobe-\S+ EPSF-/.test(begun) ? "eps" : "ps",
		mime: "application/postscript"
	};
	return rootOf(text) ?? {
		extension: "txt",
		mime: "text/plain"
	};
}
function decode(head, isTextByName) {
	if (head[0] === 255 && head[1] === 254) return decodeWide(head, "utf-16le");
	if (head[0] === 254 && head[1] === 255) return decodeWide(head, "utf-16be");
	if (head.some(isControl)) return void 0;
	if (!isTextByName && !(0,external_node_buffer_.isUtf8)(withoutCutCharacter(head))) return void 0;
	return new TextDecoder().decode(head);
}
function decodeWide(head, encoding) {
	const text = new TextDecoder(encoding).decode(head);
	return /[\0\ufffd]/.test(text.slice(0, -1)) ? void 0 : text;
}
function isControl(byte) {
	return byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27;
}
function withoutCutCharacter(head) {
	for (let back = 1; back <= Math.min(3, head.length); back++) {
		const byte = head[head.length - back] ?? 0;
		if (byte >= 192) return head.subarray(0, head.length - back);
		if (byte < 128) break;
	}
	return head;
}
const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const PROLOG_NOT_CLOSED = /^<(?:\?|!--|!doctype)/i;
const ELEMENT = /^<(?:[\w.-]+:)?([a-z][\w-]*)(?=[\s/>])/i;
function rootOf(text) {
	let rest = text.trimStart();
	const isXml = rest.startsWith("<?xml");
	for (let prolog = PROLOG.exec(rest); prolog; prolog = PROLOG.exec(rest)) rest = rest.slice(prolog[0].length);
	if (PROLOG_NOT_CLOSED.test(rest)) return {
		extension: "markup",
		mime: "application/xml"
	};
	const root = ELEMENT.exec(rest)?.[1]?.toLowerCase();
	if (root === "svg") return {
		extension: "svg",
		mime: "image/svg+xml"
	};
	if (root === "html") return {
		extension: "html",
		mime: "text/html"
	};
	return isXml ? {
		extension: "xml",
		mime: "application/xml"
	} : void 0;
}
// src/media/inspect.ts
const CONCURRENCY = 4;
const MIB = 1048576;
const LIMITS = {
	video: {
		text: "5 GB",
		bytes: 5120 * MIB
	},
	audio: {
		text: "500 MB",
		bytes: 500 * MIB
	},
	image: {
		text: "50 MB",
		bytes: 50 * MIB
	},
	document: {
		text: "100 MB",
		bytes: 100 * MIB
	}
};
async function inspect({ files: found }, signal) {
	const buffers = Array.from({ length: Math.min(CONCURRENCY, found.length) }, makeHashBuffers);
	const outcomes = await concurrently(found, CONCURRENCY, async (file, _stop, lane) => {
		signal?.throwIfAborted();
		try {
			const examined = await examine(file);
			if (!("type" in examined)) return examined;
			const { type, warning, stamp } = examined;
			const hashed = await hashFile(file, buffers[lane], signal);
			if (!isSameStamp(stamp, hashed.stamp)) return { problems: [changedProblem(file.path)] };
			return {
				file: {
					...file,
					...hashed,
					type
				},
				warning
			};
		} catch (error) {
			if (error instanceof GateError) return { problems: error.causes };
			throw error;
		}
	});
	const files = outcomes.flatMap((outcome) => "file" in outcome ? [outcome.file] : []);
	return {
		files,
		pointers: outcomes.flatMap((outcome) => "pointer" in outcome ? [outcome.pointer] : []),
		problems: [...outcomes.flatMap((outcome) => "problems" in outcome ? outcome.problems : []), ...conflictingNameProblems(files)],
		warnings: outcomes.flatMap((outcome) => "warning" in outcome && outcome.warning ? [outcome.warning] : [])
	};
}
async function examine(file) {
	return withFile(file, async (handle, stats) => {
		const { path } = file;
		if (stats.size === 0) return { problems: [emptyProblem(path)] };
		const head = await readHead(handle, stats.size);
		const pointer = parsePointer(path, head);
		if (pointer) return pointer === "extended" ? { problems: [extendedPointerProblem(path)] } : { pointer };
		const found = classify(path, await sniff(handle, {
			size: stats.size,
			head,
			extension: extensionOf(path)
		}), head);
		if (found.kind === "cut-off") return { problems: [cutOffProblem(path, found.what)] };
		if (found.kind === "contradiction") return { problems: [contradictionProblem(path, found)] };
		const tooLarge = sizeProblem(path, stats.size, found.type);
		if (tooLarge) return { problems: [tooLarge] };
		const warning = found.kind === "renamed" ? renamedWarning(path, found) : void 0;
		return {
			type: found.type,
			warning,
			stamp: stampOf(stats)
		};
	});
}
function emptyProblem(path) {
	return {
		reason: "pre-flight",
		path,
		message: "The file is empty.",
		fix: "Add its content, remove it, or exclude it with a line that starts with `!` in the input `files`."
	};
}
function cutOffProblem(path, what) {
	return {
		reason: "pre-flight",
		path,
		message: `The file starts like ${what} but is cut off or damaged.`,
		fix: "Replace it with a complete file, or exclude it with a line that starts with `!` in the input `files`."
	};
}
function contradictionProblem(path, found) {
	const { claimed, actual } = found;
	const rename = actual ? `Rename it to end in \`.${actual.extension}\` if the content is right. Otherwise replace it` : "Replace it";
	return {
		reason: "pre-flight",
		path,
		message: `The name says ${claimed}, but the content is ${actual?.mime ?? "of no known type"}.`,
		fix: `${rename}, or exclude it with a line that starts with \`!\` in the input \`files\`.`
	};
}
function sizeProblem(path, size, { category }) {
	if (category === void 0 || size <= LIMITS[category].bytes) return void 0;
	return {
		reason: "pre-flight",
		path,
		message: `The file is ${formatBytes(size)}, but the service takes at most ${LIMITS[category].text} of ${category}.`,
		fix: "Make it smaller, or exclude it with a line that starts with `!` in the input `files`."
	};
}
function renamedWarning(path, found) {
	const { mime, extension } = found.type;
	return `${path}: the name says ${found.claimed}, but the content is ${mime}. It is treated as a .${extension} file.`;
}
// src/media/no-files.ts
const MAX_PATTERNS = 5;
function noFilesMatch({ files, filesAreDefault, searchRoot }) {
	const named = files.map(({ text }) => `\`${text}\``);
	return {
		reason: "no-files",
		message: "No file matches the input `files`, so nothing was checked.",
		fix: `Searched in ${searchRoot} for ${filesAreDefault ? "the default patterns" : formatList(named, MAX_PATTERNS)}. If there should be media, correct \`files\` or \`working-directory\`. If not, set \`if-no-files-found: ignore\`.`
	};
}
// src/media/only-changed.ts
async function onlyChanged(discovery, lines, { run, api }) {
	const list = await changedPaths(run, api);
	if (!list.isKnown) return notApplied(discovery, list.why);
	const found = new Set(discovery.files.map((file) => file.path.normalize("NFC")));
	const matcher = new PathMatcher(lines);
	const { missing, misspelt } = await lookFor(list.paths.filter((file) => !found.has(file.normalize("NFC")) && matcher.selects(file)), run.searchRoot);
	if (missing.length > 0) throw new GateError(missing.map(missingProblem));
	const [other] = misspelt;
	if (other !== void 0) return notApplied(discovery, `${other} is stored in the workspace under another spelling.`);
	const changed = new Set(list.paths.map((file) => file.normalize("NFC")));
	return {
		...discovery,
		files: discovery.files.filter((file) => isAmong(changed, file.path.normalize("NFC")))
	};
}
function isAmong(changed, file) {
	for (let at = file; at !== "."; at = external_node_path_namespaceObject.posix.dirname(at)) if (changed.has(at)) return true;
	return false;
}
function notApplied(discovery, why) {
	const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
	return {
		...discovery,
		notices: [...discovery.notices, notice]
	};
}
function noneChanged(matched) {
	return {
		reason: "no-files",
		message: `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`,
		fix: "There is nothing to do. To check all files in every pull request, remove `only-changed: true`. Unchanged files are not sent again."
	};
}
function notKnown(why) {
	return {
		isKnown: false,
		why
	};
}
async function changedPaths({ event, pullRequest, searchRoot }, api) {
	if (!pullRequest) return notKnown(`This run${event && ` (${event})`} is not for a pull request. There is nothing to do.`);
	if (pullRequest.number === void 0) return notKnown("For a fork, GitHub does not say which pull request a `workflow_run` belongs to. If that matters, run the gate on `pull_request` or `pull_request_target`.");
	if (!await checkoutAt(searchRoot)) return notKnown("GitHub lists files from the root of the repository, and that is not the folder that is searched. Set `working-directory` to the `path` of `actions/checkout`.");
	try {
		const files = await api.pullRequestFiles(pullRequest.number);
		if (files.length >= 3e3) return notKnown(`The pull request changes ${MAX_CHANGED_FILES} files or more, and GitHub lists no more. If that matters, split the pull request.`);
		const { headSha } = await api.pullRequest(pullRequest.number);
		if (headSha !== pullRequest.headSha) return notKnown("The pull request has been pushed to since this run was started, and GitHub lists only the changes of the newest commit. The run of that commit is the one that counts.");
		return {
			isKnown: true,
			paths: pathsAfter$1(files)
		};
	} catch (error) {
		if (error instanceof GitHubError) return notKnown(`${error.message} ${error.fix}`);
		throw error;
	}
}
function pathsAfter$1(files) {
	return files.filter(({ status }) => status !== "removed").map(({ filename }) => filename);
}
async function lookFor(files, searchRoot) {
	const missing = [];
	const misspelt = [];
	for (const file of files) {
		const found = await (0,promises_namespaceObject.lstat)(external_node_path_namespaceObject.join(searchRoot, file)).catch(() => void 0);
		if (!found) missing.push(file);
		else if (found.isFile()) misspelt.push(file);
	}
	return {
		missing,
		misspelt
	};
}
function missingProblem(file) {
	return {
		reason: "checkout",
		path: file,
		message: "The pull request changes this file, but it is not in the workspace, so it cannot be checked.",
		fix: "Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch."
	};
}
// src/service/advice.ts
const CONTACT_SUPPORT = "If this happens again, contact the service's support.";
const CHECK_BASE_URL = `Check that \`base-url\` is the address of the compliance service. If it is, contact the service's support.`;
function explain(error, path) {
	return {
		message: `${error.message}.`,
		...advise(error),
		...path !== void 0 && { path }
	};
}
function advise(error) {
	const { failure, baseUrl } = error;
	switch (failure.kind) {
		case "connection": return failure.error.unknownHost === void 0 ? {
			reason: "service",
			fix: adviseOnConnection(failure.error.fix)
		} : {
			reason: "bad-input",
			fix: adviseOnUnknownHost(failure.error.unknownHost, baseUrl)
		};
		case "unreadable": return {
			reason: "results",
			fix: failure.isJson ? `The answer does not follow the service's contract. ${CHECK_BASE_URL}` : "Something other than the compliance service answered: a login page, a proxy or another site. Check `base-url` and the network."
		};
		case "status": return failure.status >= 300 && failure.status < 400 ? {
			reason: "bad-input",
			fix: adviseOnRedirect(failure.location)
		} : adviseOnStatus(error, failure);
	}
}
function adviseOnConnection(fix) {
	return fix ?? "Check `base-url` and the network (proxy, firewall). If both are right, re-run the job later.";
}
function adviseOnUnknownHost(host, baseUrl) {
	return URL.parse(baseUrl)?.hostname === host ? "This is probably a typing error in `base-url`. Correct it, commit and push." : `\`${host}\` is not the host in \`base-url\`: check the address of the proxy in \`HTTPS_PROXY\` or \`HTTP_PROXY\`.`;
}
function adviseOnRedirect(location) {
	const target = location === void 0 ? void 0 : URL.parse(location)?.origin;
	return `The service redirects${target ? ` to ${target}` : ""}. A redirect is never followed, because the request carries the API key. Set \`base-url\` to the service's final address.`;
}
function adviseOnStatus({ operation, baseUrl }, { status, message, details, retryAfter }) {
	if (status >= 500 || status === 408) return {
		reason: "service",
		fix: "Re-run the job when the service is available again."
	};
	switch (status) {
		case 400: return badRequest(operation);
		case 401: return {
			reason: "auth",
			fix: "The key was revoked, has expired, or belongs to another address than `base-url`. Update the secret behind `api-key`, then re-run the job."
		};
		case 402: return {
			reason: "plan",
			fix: `${message === "" ? "The workspace's plan does not include this part of the service: ask the owner of the account to change it. " : ""}A re-run helps only after the plan has changed.${details ? ` Details: ${details}.` : ""}`
		};
		case 403: return {
			reason: "refused",
			fix: forbidden(operation)
		};
		case 404: return notFound(operation, baseUrl);
		case 407: return {
			reason: "bad-input",
			fix: "A proxy asks for credentials. Add them to the address in `HTTPS_PROXY`, from a secret."
		};
		case 413: return {
			reason: "refused",
			fix: "The file is larger than the service accepts for its kind (video 5 GB, audio 500 MB, document 100 MB, image 50 MB). Make it smaller, or exclude it with a line that starts with `!` in the input `files`."
		};
		case 415: return {
			reason: "refused",
			fix: "The service does not accept this type of file, or the content does not match the file extension. Convert the file to a common type (MP4, MP3, PNG, PDF), or exclude it with a line that starts with `!` in the input `files`."
		};
		case 422: return {
			reason: "refused",
			fix: unprocessable(operation)
		};
		case 429: return {
			reason: "service",
			fix: `The rate limit of this API key lasts longer than this run can wait. ${describeRetryAfter(retryAfter)}Lower \`upload-concurrency\`, or ask the service for a higher limit.`
		};
		default: return {
			reason: "refused",
			fix: `This answer is not part of the service's contract. ${CHECK_BASE_URL}`
		};
	}
}
function describeRetryAfter(header) {
	const seconds = header !== void 0 && /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : void 0;
	if (seconds === void 0) return "Re-run the job later. ";
	return `The service asks to wait ${seconds < 120 ? plural(seconds, "second") : plural(Math.ceil(seconds / 60), "minute")}: re-run the job after that. `;
}
function badRequest(operation) {
	if (operation === "creating the submission") return {
		reason: "bad-input",
		fix: "The service accepts `simulation-delay-seconds` only with a sandbox key: remove it, or use a key that begins with `sk_test_`. If it is not set, see the service's message."
	};
	return {
		reason: "refused",
		fix: "The service does not understand the request. Check that `base-url` is the address of the compliance service. If it is, report this message to the authors of this action."
	};
}
function forbidden(operation) {
	switch (operation) {
		case "firing the sandbox event": return "Only a sandbox key may fire events. Use a key that begins with `sk_test_`, or remove `sandbox-event`.";
		case "creating the submission": return `The service does not accept the path of an uploaded file. Re-run the job. ${CONTACT_SUPPORT}`;
		case "uploading":
		case "asking for an upload address": return "The service does not accept the name of this file. Rename it, or exclude it with a line that starts with `!` in the input `files`.";
		default: return "This API key may not do this. Check that it belongs to the workspace that holds the submission.";
	}
}
function notFound(operation, baseUrl) {
	switch (operation) {
		case "uploading":
		case "asking for an upload address": return {
			reason: "bad-input",
			message: `${baseUrl.replace(/\/api\/integrations$/, "") || "The address in `base-url`"} answered 404 to an upload, so it is probably not the compliance service.`,
			fix: "Set `base-url` to the service's own address, commit and push."
		};
		case "creating the submission": return {
			reason: "refused",
			fix: `The service does not find something that the submission refers to. Re-run the job. If this happens again, check \`base-url\` and contact the service's support.`
		};
		case "reading the issues":
		case "reading the topics": return {
			reason: "results",
			fix: `The service reports a complete analysis, but does not find its issues. Re-run the job. ${CONTACT_SUPPORT}`
		};
		default: return {
			reason: "results",
			fix: "The submission is not in the workspace of this API key. If the key now belongs to another workspace, re-run the job: it uploads the files again."
		};
	}
}
function unprocessable(operation) {
	switch (operation) {
		case "creating the submission": return "See the service's message. It may be about `sidekick-ids`, `metadata` or the number of assets.";
		case "uploading":
		case "asking for an upload address": return "The service does not accept the name or the type of this file. Rename or convert it, or exclude it with a line that starts with `!` in the input `files`.";
		default: return `The service does not accept the request. Re-run the job. ${CONTACT_SUPPORT}`;
	}
}
// src/service/service-error.ts
function formatFailure(failure, during = "") {
	switch (failure.kind) {
		case "status": return `answered ${failure.status}${during}${failure.message && `: ${shorten(failure.message)}`}`;
		case "connection":
			if (failure.error.unknownHost !== void 0) return `could not be reached: ${failure.error.what}`;
			return `${failure.error.maybeReceived ? "did not answer" : "could not be reached"}${during}: ${failure.error.what}`;
		case "unreadable": return `gave an answer${during} that could not be read: ${failure.message}`;
	}
}
function isRateLimit(failure) {
	return failure.kind === "status" && failure.status === 429;
}
function isUnknownHost(failure) {
	return failure.kind === "connection" && failure.error.unknownHost !== void 0;
}
function isTransient(status) {
	return status === 408 || status === 429 || status >= 500;
}
const ABOUT_ONE_FILE = [
	403,
	413,
	415,
	422
];
var ServiceError = class extends Error {
	name = "ServiceError";
	operation;
	failure;
	baseUrl;
	constructor(operation, failure, baseUrl = "") {
		const message = `The service ${formatFailure(failure, ` while ${operation}`)}`;
		super(message, failure.kind === "connection" ? { cause: failure.error } : {});
		this.operation = operation;
		this.failure = failure;
		this.baseUrl = baseUrl;
	}
	get status() {
		return this.failure.kind === "status" ? this.failure.status : void 0;
	}
	get isAboutOneFile() {
		return (this.operation === "uploading" || this.operation === "asking for an upload address") && this.status !== void 0 && ABOUT_ONE_FILE.includes(this.status);
	}
	get endsRun() {
		return this.status === 401 || this.status === 402 || isUnknownHost(this.failure);
	}
	get isRateLimited() {
		return isRateLimit(this.failure);
	}
	get isOutage() {
		const { failure } = this;
		switch (failure.kind) {
			case "status": return isTransient(failure.status) && !isRateLimit(failure);
			case "connection": return !isUnknownHost(failure);
			case "unreadable": return !failure.isJson;
		}
	}
	get stopsReading() {
		return this.isOutage || this.isRateLimited || this.endsRun;
	}
};
// src/service/read-asset.ts
function unreadAsset(listed, error) {
	return {
		listed,
		filename: void 0,
		status: void 0,
		issueCount: listed.issueCount ?? void 0,
		issues: [],
		hasUnreadIssues: false,
		versionNumber: listed.versionNumber ?? void 0,
		versionGroupId: listed.versionGroupId ?? void 0,
		error
	};
}
async function readAsset(listed, { client, submissionId, mode, deadline }, before = unreadAsset(listed)) {
	let reading = {
		...withCount(before, listed.issueCount),
		listed,
		hasUnreadIssues: false,
		error: void 0
	};
	try {
		const response = await client.readAsset(submissionId, listed.assetId, deadline);
		const { filename, status } = response;
		reading = {
			...withIssues(withCount(reading, response.issueCount), readIssues(response.issues)),
			filename,
			status,
			versionNumber: listed.versionNumber ?? response.versionNumber ?? void 0,
			versionGroupId: listed.versionGroupId ?? response.versionGroupId ?? void 0
		};
		if (status !== "complete" || expectedIssues(reading, mode) === 0) return reading;
		return withIssues(reading, readIssues(await client.readIssues(submissionId, listed.assetId, deadline)));
	} catch (error) {
		if (!(error instanceof ServiceError) || error.endsRun) throw error;
		return {
			...reading,
			error
		};
	}
}
function withCount(reading, issueCount) {
	return typeof issueCount === "number" ? {
		...reading,
		issueCount: Math.max(issueCount, reading.issueCount ?? 0)
	} : reading;
}
function withIssues(reading, { items, size = 0 }) {
	return {
		...reading,
		issues: joinById(items, reading.issues),
		hasUnreadIssues: reading.hasUnreadIssues || size > items.length,
		issueCount: reading.issueCount === void 0 ? void 0 : Math.max(reading.issueCount, size)
	};
}
function expectedIssues({ issueCount }, mode) {
	return issueCount ?? (mode === "sandbox" ? 0 : void 0);
}
function missingFact(reading, mode) {
	const { status, issues, hasUnreadIssues } = reading;
	if (status !== "complete") return `The service reports the status ${JSON.stringify(status)} for this file, not complete.`;
	const expected = expectedIssues(reading, mode);
	if (expected === void 0) return "The service says that the analysis is complete, but not how many issues it found.";
	if (expected > 1e4) return `The service counts ${plural(expected, "issue")}, and only the first ${count$1(MAX_LIST_ITEMS)} are read.`;
	if (expected > issues.length) return `The service counts ${plural(expected, "issue")}, but only ${count$1(issues.length)} could be read.`;
	return hasUnreadIssues ? "The service lists an issue that could not be read." : void 0;
}
// src/service/responses.ts
const count = nullish(pipe(number(), integer(), minValue(0)));
const shownText = fallback(nullish(string()), null);
const shownCount = fallback(count, null);
const MAX_ASSETS = 1e5;
const UploadUrlResponse = object({
	uploadUrl: pipe(string(), url()),
	blobPath: pipe(string(), minLength(1))
});
const DirectUploadResponse = object({
	blobPath: pipe(string(), minLength(1)),
	sizeBytes: number()
});
const CreationResponse = object({
	submissionId: pipe(string(), minLength(1)),
	workflowId: shownText,
	assets: fallback(array(object({ assetId: string() })), [])
});
const ListedAsset = object({
	assetId: string(),
	versionGroupId: shownText,
	versionNumber: shownCount,
	issueCount: count,
	errorMessage: shownText,
	errorType: shownText,
	isRetryable: fallback(main_boolean(), false),
	retryCount: fallback(pipe(number(), integer()), 0)
});
function unlistedAsset(assetId) {
	return parse$1(ListedAsset, { assetId });
}
function failureText({ errorType, errorMessage }) {
	return [errorType, errorMessage].filter(Boolean).join(": ").replace(/\.$/, "");
}
const SubmissionResponse = object({
	submissionId: string(),
	status: string(),
	workflowId: shownText,
	progressPercent: fallback(nullish(number()), null),
	errorMessage: shownText,
	assets: pipe(array(unknown()), maxLength(MAX_ASSETS), array(ListedAsset))
});
function isTerminal({ status }) {
	return status === "complete" || status === "failed";
}
const AssetResponse = object({
	assetId: string(),
	submissionId: nullish(string()),
	filename: string(),
	status: string(),
	issueCount: count,
	versionGroupId: shownText,
	versionNumber: shownCount,
	issues: optional(unknown())
});
const FireResponse = object({ dispatched: number() });
const AnyResponse = unknown();
// src/service/analysis.ts
function unjudged(content, submissionId, causes) {
	return {
		content,
		outcome: "unjudged",
		issues: [],
		topics: [],
		submissionId,
		assetId: void 0,
		versionNumber: void 0,
		versionGroupId: void 0,
		versionCount: void 0,
		retries: 0,
		causes
	};
}
function analysisOf$1(content, own, { submissionId, mode, retries, interruption, readings }) {
	const [asset] = own;
	if (!asset || own.length > 1) {
		const issues = own.map((reading) => reading.issues).reduce(joinById, []);
		return {
			...unjudged(content, submissionId, [interruption ?? explainName(content, own, {
				submissionId,
				readings
			})]),
			issues
		};
	}
	const { listed, issues, versionNumber, versionGroupId, error } = asset;
	const retried = retries?.get(listed.assetId);
	const analysis = {
		...unjudged(content, submissionId, []),
		issues,
		assetId: listed.assetId,
		versionNumber,
		versionGroupId,
		retries: retried?.count ?? 0
	};
	if (asset.status === "failed") return {
		...analysis,
		outcome: "failed",
		causes: [about(content, explainFailure(asset, retried))]
	};
	const missing = missingFact(asset, mode);
	if (missing === void 0 && !error) return {
		...analysis,
		outcome: "judged"
	};
	if (interruption && asset.status !== "complete") return {
		...analysis,
		causes: [interruption]
	};
	if (error) return {
		...analysis,
		causes: [explainUnread(content, error)]
	};
	const message = missing ?? "The list of issues could not be read.";
	return {
		...analysis,
		causes: [about(content, {
			reason: "results",
			message,
			fix: RESULTS_INCOMPLETE
		})]
	};
}
const RESULTS_INCOMPLETE = "An issue may be missing, so the file does not pass. Re-run the job. If it happens again, contact the service's support.";
const NOT_PROVEN = "The file was sent, but nothing proves what was found in it, so it does not pass. Re-run the job. If it happens again, contact the service's support.";
function explainUnread(content, error) {
	return error.stopsReading ? {
		...explain(error),
		submission: "open"
	} : about(content, explain(error));
}
function explainName(content, own, { submissionId, readings }) {
	if (own.length > 1) {
		const ids = own.map(({ listed }) => listed.assetId).join(", ");
		return about(content, {
			reason: "results",
			message: `Submission ${submissionId} has ${plural(own.length, "asset")} with the name of this file (${ids}).`,
			fix: NOT_PROVEN
		});
	}
	const stopped = readings.flatMap(({ filename, error }) => filename === void 0 && error ? [error] : []).find((error) => error.stopsReading);
	if (stopped) return explainUnread(content, stopped);
	const others = readings.map(({ filename, listed, error }) => filename ?? describeUnread(listed.assetId, error));
	return about(content, {
		reason: "results",
		message: `Submission ${submissionId} has no asset with the name of this file.${others.length === 0 ? " It has no assets." : ` Its assets: ${formatList(others)}.`}`,
		fix: NOT_PROVEN
	});
}
function describeUnread(assetId, error) {
	return `${assetId} (${error?.message ?? "not read"})`;
}
function explainFailure({ listed }, retried) {
	const times = retried?.count ?? 0;
	const after = times === 0 ? "" : ` after ${times} ${times === 1 ? "retry" : "retries"}`;
	const noMore = retried?.problem === void 0 ? "" : ` It was not retried${times > 0 ? " again" : ""}: ${retried.problem}.`;
	return {
		reason: "asset-failed",
		message: `The service could not analyse the file${after}: ${failureText(listed) || "it gave no reason"}.${noMore}`,
		fix: "Check that the file opens. If it is damaged, replace it, commit and push. If it is intact, re-run the job."
	};
}
function about({ paths: [path] }, cause) {
	return path === void 0 ? cause : {
		...cause,
		path
	};
}
// src/lib/result.ts
function success(value) {
	return {
		ok: true,
		value
	};
}
function failure(error) {
	return {
		ok: false,
		error
	};
}
// src/service/retries.ts
const GIVE_UP_MS = 12e4;
const MAX_CONTRACT_TRIES = 3;
const MAX_UNKNOWN_HOST_TRIES = 3;
const UPLOAD = {
	statuses: "transient",
	connection: "always",
	unreadableTries: 3,
	giveUpMs: GIVE_UP_MS,
	maxCountedMs: GIVE_UP_MS,
	isCutByDeadline: false,
	waitsForRateLimit: true
};
const TRANSFER = {
	...UPLOAD,
	maxCountedMs: 2e4
};
const READ = {
	...UPLOAD,
	unreadableTries: Number.POSITIVE_INFINITY,
	isCutByDeadline: true
};
const READ_EXTRA = {
	...READ,
	giveUpMs: 15e3
};
const RETRY_ASSET = {
	...UPLOAD,
	isCutByDeadline: true,
	waitsForRateLimit: false
};
const CREATE = {
	statuses: [
		429,
		500,
		502
	],
	connection: "unsent",
	unreadableTries: 1,
	giveUpMs: GIVE_UP_MS,
	maxCountedMs: GIVE_UP_MS,
	isCutByDeadline: false,
	waitsForRateLimit: true
};
function isWorthAnotherTry(policy, failure, tries) {
	switch (failure.kind) {
		case "status": return policy.statuses === "transient" ? isTransient(failure.status) : policy.statuses.includes(failure.status);
		case "connection": {
			const { isLasting, maybeReceived, unknownHost } = failure.error;
			if (isLasting || unknownHost !== void 0 && tries >= MAX_UNKNOWN_HOST_TRIES) return false;
			return policy.connection === "always" || !maybeReceived;
		}
		case "unreadable": return tries < Math.min(policy.unreadableTries, failure.isJson ? MAX_CONTRACT_TRIES : Number.POSITIVE_INFINITY);
	}
}
const MIN_TRY_MS = 5e3;
async function withRetries(options) {
	const { policy, deadline } = options;
	let lostMs = 0;
	for (let tries = 1;; tries += 1) {
		const refusal = await options.ready?.();
		if (refusal) return failure(refusal);
		const startedAt = Date.now();
		const result = await options.attempt(timeoutsWithin(options, lostMs));
		if (result.ok) return result;
		const failure$1 = result.error;
		if (!isWorthAnotherTry(policy, failure$1, tries)) return result;
		const delayMs = delayAfter(failure$1, tries);
		const isLimited = isRateLimit(failure$1);
		if (isLimited && !policy.waitsForRateLimit) return result;
		if ((isLimited || policy.isCutByDeadline) && Date.now() + delayMs > deadline.until) return result;
		if (isLimited) lostMs = 0;
		else {
			lostMs += silenceOf(failure$1, Math.max(0, Date.now() - startedAt), policy) + delayMs;
			if (lostMs + MIN_TRY_MS > policy.giveUpMs) return result;
		}
		options.onRetry(failure$1, delayMs);
		await sleep(delayMs, deadline.signal);
	}
}
function delayAfter(failure, tries) {
	return (failure.kind === "status" && isRateLimit(failure) ? retryAfterMs(failure.retryAfter) : void 0) ?? backoff(tries);
}
function silenceOf(failure, durationMs, { maxCountedMs }) {
	const silentMs = failure.kind === "connection" ? failure.error.silentMs : void 0;
	return Math.min(durationMs, silentMs ?? maxCountedMs);
}
function timeoutsWithin({ policy, timeouts, deadline }, lostMs) {
	const untilDeadlineMs = policy.isCutByDeadline ? Math.max(MIN_TRY_MS, deadline.until - Date.now()) : Number.POSITIVE_INFINITY;
	const leftMs = Math.min(policy.giveUpMs - lostMs, untilDeadlineMs);
	const connectMs = Math.min(timeouts.connectMs, leftMs);
	const stallMs = Math.min(timeouts.stallMs, leftMs);
	const answerMs = Math.min(timeouts.answerMs, leftMs);
	return {
		connectMs,
		stallMs,
		answerMs,
		...untilDeadlineMs < connectMs + answerMs && { totalMs: untilDeadlineMs }
	};
}
// src/service/endpoints.ts
const CONNECT_MS = 2e4;
const QUICK = {
	connectMs: CONNECT_MS,
	stallMs: 3e4,
	answerMs: 6e4
};
const SENDING = {
	connectMs: CONNECT_MS,
	stallMs: 6e4,
	answerMs: 6e4
};
const CREATING = {
	connectMs: CONNECT_MS,
	stallMs: 6e4,
	answerMs: 12e4
};
const FIRE = {
	...CREATE,
	isCutByDeadline: true
};
const ENDPOINTS = {
	uploadUrl: {
		operation: "asking for an upload address",
		method: "POST",
		bucket: "upload",
		retry: UPLOAD,
		timeouts: QUICK
	},
	uploadDirect: {
		operation: "uploading",
		method: "POST",
		bucket: "upload",
		retry: TRANSFER,
		timeouts: SENDING
	},
	create: {
		operation: "creating the submission",
		method: "POST",
		bucket: "submission_write",
		retry: CREATE,
		timeouts: CREATING
	},
	readSubmission: {
		operation: "reading the submission",
		method: "GET",
		bucket: "submission_read",
		retry: READ,
		timeouts: QUICK
	},
	readAsset: {
		operation: "reading an asset",
		method: "GET",
		bucket: "submission_read",
		retry: READ,
		timeouts: QUICK
	},
	readIssues: {
		operation: "reading the issues",
		method: "GET",
		bucket: "submission_read",
		retry: READ,
		timeouts: QUICK
	},
	readTopics: {
		operation: "reading the topics",
		method: "GET",
		bucket: "submission_read",
		retry: READ_EXTRA,
		timeouts: QUICK
	},
	readVersions: {
		operation: "reading the versions",
		method: "GET",
		bucket: "submission_read",
		retry: READ_EXTRA,
		timeouts: QUICK
	},
	retryAsset: {
		operation: "retrying an asset",
		method: "POST",
		bucket: "submission_write",
		retry: RETRY_ASSET,
		timeouts: QUICK
	},
	fire: {
		operation: "firing the sandbox event",
		method: "POST",
		bucket: "sandbox",
		retry: FIRE,
		timeouts: QUICK
	}
};
// src/service/file-body.ts
const MAX_BYTES_IN_FLIGHT = 16777216;
const MAX_PIECE_BYTES = 524288;
const BUFFERS_PER_UPLOAD = 4;
var PieceBuffers = class {
	pieceBytes;
	#buffers = [];
	constructor(uploads) {
		this.pieceBytes = Math.min(MAX_PIECE_BYTES, Math.floor(MAX_BYTES_IN_FLIGHT / BUFFERS_PER_UPLOAD / uploads));
	}
	bufferFor(index) {
		return this.#buffers[index % BUFFERS_PER_UPLOAD] ??= Buffer.allocUnsafeSlow(this.pieceBytes);
	}
};
const NOTHING = Buffer.alloc(0);
async function plainBody(file, buffers) {
	return {
		headers: {
			"content-length": String(file.stamp.size),
			"content-type": file.type.mime
		},
		body: await streamFile(file, buffers, {
			head: NOTHING,
			tail: NOTHING
		})
	};
}
async function formBody(file, filename, buffers) {
	const boundary = `gate-${(0,external_node_crypto_.randomUUID)()}`;
	const head = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`);
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	return {
		headers: {
			"content-length": String(head.length + file.stamp.size + tail.length),
			"content-type": `multipart/form-data; boundary=${boundary}`
		},
		body: await streamFile(file, buffers, {
			head,
			tail
		})
	};
}
async function streamFile(file, buffers, { head, tail }) {
	const handle = await openUnchanged(file);
	const { size } = file.stamp;
	const length = head.length + size + tail.length;
	let reading = Promise.resolve(0);
	async function fill(target, from) {
		const wanted = Math.min(target.length, length - from);
		let filled = head.subarray(from).copy(target);
		while (filled < wanted) {
			const position = from + filled - head.length;
			if (position >= size) {
				filled += tail.subarray(position - size).copy(target, filled);
				continue;
			}
			const { bytesRead } = await handle.read(target, filled, Math.min(wanted - filled, size - position), position).catch((error) => {
				throw changedError(file, error);
			});
			if (bytesRead === 0) throw changedError(file);
			filled += bytesRead;
		}
		return filled;
	}
	async function* pieces() {
		reading = fill(buffers.bufferFor(0), 0);
		for (let index = 0, position = 0; position < length; index += 1) {
			const filled = await reading;
			position += filled;
			if (position < length) {
				reading = fill(buffers.bufferFor(index + 1), position);
				reading.catch(() => void 0);
			}
			yield buffers.bufferFor(index).subarray(0, filled);
		}
	}
	return {
		pieces: pieces(),
		close: async () => {
			await reading.catch(() => void 0);
			await handle.close();
		}
	};
}
async function openUnchanged(file) {
	const handle = await (0,promises_namespaceObject.open)(file.absolutePath, external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0)).catch((error) => {
		throw changedError(file, error);
	});
	if (await handle.stat().then((stats) => isSameStamp(stampOf(stats), file.stamp), () => false)) return handle;
	await handle.close();
	throw changedError(file);
}
function changedError(file, cause) {
	return new GateError(changedProblem(file.path), { cause });
}
// src/service/buckets.ts
const WINDOW_MS = 6e4;
const LIMIT_MEMORY_MS = 5 * WINDOW_MS;
const DEFAULT_GAP_MS = 100;
const MAX_GAP_MS = 1e3;
var Buckets = class {
	#limits = new Map();
	#accepted = new Map();
	close(bucket, until, failure) {
		const before = this.#limits.get(bucket)?.closedUntil ?? 0;
		if (until > before) this.#limits.set(bucket, {
			closedUntil: until,
			failure,
			gapMs: this.#gap(bucket, until),
			nextAt: until
		});
		return before <= Date.now();
	}
	accepted(bucket) {
		const times = this.#accepted.get(bucket) ?? [];
		this.#accepted.set(bucket, times);
		times.push(Date.now());
	}
	async opened(bucket, { signal, until }) {
		for (;;) {
			const now = Date.now();
			const limit = this.#limits.get(bucket);
			if (!limit || limit.closedUntil + LIMIT_MEMORY_MS <= now) return void 0;
			const startsAt = Math.max(now, limit.nextAt);
			if (startsAt > until) return limit.failure;
			limit.nextAt = startsAt + limit.gapMs;
			if (startsAt > now) await sleep(startsAt - now, signal);
			if ((this.#limits.get(bucket)?.closedUntil ?? 0) <= Date.now()) return void 0;
		}
	}
	#gap(bucket, opensAt) {
		const now = Date.now();
		const recent = (this.#accepted.get(bucket) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
		const [first] = recent;
		if (first === void 0) return DEFAULT_GAP_MS;
		return Math.min(MAX_GAP_MS, (opensAt - first) / recent.length);
	}
};
// src/service/requester.ts
const REPEAT_LOG_AFTER_MS = 15e3;
const NO_WAIT_MS$1 = 1e3;
const CANCEL_GRACE_MS = 5e3;
var ServiceRequester = class {
	#options;
	#buckets = new Buckets();
	#loggedAt = new Map();
	#refusal;
	#hasAnswered = false;
	constructor(options) {
		this.#options = options;
	}
	async send(request) {
		const { endpoint, deadline } = request;
		const { bucket, retry, timeouts } = endpoint;
		const result = await withRetries({
			policy: retry,
			timeouts,
			deadline,
			ready: async () => {
				const until = retry.waitsForRateLimit ? deadline.until : Date.now() + NO_WAIT_MS$1;
				const closed = await this.#buckets.opened(bucket, {
					...deadline,
					until
				});
				if (this.#refusal) throw this.#refusal;
				return closed;
			},
			attempt: async (limits) => {
				const attempt = await this.#attempt(request, limits);
				if (attempt.ok || !isRateLimit(attempt.error)) this.#buckets.accepted(bucket);
				else if (!retry.waitsForRateLimit) this.#close(bucket, attempt.error);
				return attempt;
			},
			onRetry: (problem, delayMs) => {
				if (!isRateLimit(problem) || this.#buckets.close(bucket, Date.now() + delayMs, problem)) this.#logRetry(this.#errorFor(endpoint, problem).message, delayMs);
			}
		});
		if (result.ok) return result.value;
		const error = this.#errorFor(endpoint, result.error);
		if (error.endsRun) this.#refusal ??= error;
		throw error;
	}
	#close(bucket, problem) {
		const waitMs = problem.kind === "status" ? retryAfterMs(problem.retryAfter) ?? 0 : 0;
		this.#buckets.close(bucket, Date.now() + waitMs, problem);
	}
	#errorFor({ operation }, problem) {
		return new ServiceError(operation, problem, this.#options.access.baseUrl);
	}
	#logRetry(message, delayMs) {
		const now = Date.now();
		const before = this.#loggedAt.get(message);
		if (before !== void 0 && now - before < REPEAT_LOG_AFTER_MS) return;
		this.#loggedAt.set(message, now);
		this.#options.log.info(`${message}; trying again in ${Math.ceil(delayMs / 1e3)} s`);
	}
	async #attempt(request, timeouts) {
		const answer = await this.#exchange(request, timeouts);
		if (answer instanceof ConnectionError) return failure({
			kind: "connection",
			error: this.#inContext(answer)
		});
		this.#hasAnswered = true;
		if (!isSuccess(answer)) return failure(refusalIn(answer));
		if (answer.isTruncated) return failure(TOO_LARGE);
		const json = parseJson(answer.text);
		const parsed = safeParse(request.schema, json);
		if (parsed.success && json !== void 0) return success(parsed.output);
		return failure(unreadable(answer.text, json, parsed.issues?.[0]));
	}
	#inContext(error) {
		if (error.unknownHost === void 0 || !this.#hasAnswered) return error;
		return new ConnectionError(error.what, { maybeReceived: error.maybeReceived }, { cause: error });
	}
	async #exchange({ endpoint, path, payload, deadline: { signal } }, timeouts) {
		const { access, http, userAgent } = this.#options;
		const { headers = {}, body } = await payload?.() ?? {};
		const mustNotRepeat = endpoint.retry.connection === "unsent";
		signal.throwIfAborted();
		try {
			const answer = await http.send({
				method: endpoint.method,
				url: access.baseUrl + path,
				headers: {
					accept: "application/json",
					"user-agent": userAgent,
					"x-api-key": access.apiKey,
					...headers
				},
				...body !== void 0 && { body },
				timeouts,
				signal: mustNotRepeat ? abortedLater(signal, CANCEL_GRACE_MS) : signal,
				freshConnection: mustNotRepeat
			});
			const text = withoutKey(answer.text, access.apiKey);
			const givesSignature = endpoint === ENDPOINTS.uploadUrl && isSuccess(answer);
			return {
				...answer,
				text: givesSignature ? text : withoutSignatures(text)
			};
		} catch (error) {
			if (error instanceof ConnectionError) return error;
			if (signal.aborted && mustNotRepeat) return new ConnectionError("the run was stopped before the answer came", { maybeReceived: true });
			throw error;
		}
	}
};
const TOO_LARGE = {
	kind: "unreadable",
	message: `it is larger than ${formatBytes(MAX_ANSWER_BYTES)}`,
	isJson: true
};
function refusalIn({ status, location, retryAfter, text }) {
	return {
		kind: "status",
		status,
		location,
		retryAfter,
		message: messageFromBody(text),
		details: detailsFromBody(text)
	};
}
function isSuccess({ status }) {
	return status >= 200 && status < 300;
}
function unreadable(text, json, issue) {
	if (json === void 0) return {
		kind: "unreadable",
		message: /^\s*</.test(text) ? "a web page instead of JSON" : "not JSON, or cut off",
		isJson: false
	};
	const field = issue && getDotPath(issue);
	return {
		kind: "unreadable",
		message: field ? `\`${field}\` is missing or has the wrong type` : "the JSON has the wrong shape",
		isJson: true
	};
}
const SIGNATURE_START = String.raw`(?:[?&;]|\\u0026|\\u003[bf])(?:sig|signature|x-(?:amz|goog)-[a-z-]+)(?:=|\\u003d)`;
const SIGNATURE_VALUE = String.raw`(?:[^&\s"'\\]|\\+\/|\\+u(?!00(?:2[0267]|3[ce]))[0-9a-f]{4})+`;
const SIGNATURE = new RegExp(`(${SIGNATURE_START})${SIGNATURE_VALUE}`, "gi");
function withoutSignatures(text) {
	return text.replaceAll(SIGNATURE, "$1***");
}
function withoutKey(text, apiKey) {
	const inJson = JSON.stringify(apiKey).slice(1, -1);
	return text.replaceAll(apiKey, "***").replaceAll(inJson, "***");
}
// src/service/client.ts
const CATCH_UP_MS = 2e4;
const READ_AGAIN_MS = 2e3;
var ServiceClient = class {
	#requester;
	constructor(options) {
		this.#requester = new ServiceRequester(options);
	}
	async uploadUrl(filename, contentType, deadline) {
		return await this.#requester.send({
			endpoint: ENDPOINTS.uploadUrl,
			path: "/uploads/url",
			payload: json({
				filename,
				contentType
			}),
			schema: UploadUrlResponse,
			deadline
		});
	}
	async uploadDirect({ filename, file, buffers }, deadline) {
		return await this.#requester.send({
			endpoint: ENDPOINTS.uploadDirect,
			path: "/uploads/direct",
			payload: async () => await formBody(file, filename, buffers),
			schema: DirectUploadResponse,
			deadline
		});
	}
	async createSubmission(submission, simulationDelaySeconds, deadline) {
		const query = simulationDelaySeconds === void 0 ? "" : `?simulationDelaySeconds=${simulationDelaySeconds}`;
		return await this.#requester.send({
			endpoint: ENDPOINTS.create,
			path: `/submissions${query}`,
			payload: json(submission),
			schema: CreationResponse,
			deadline
		});
	}
	async readSubmission(submissionId, deadline) {
		const response = await this.#requester.send({
			endpoint: ENDPOINTS.readSubmission,
			path: submissionPath(submissionId),
			schema: SubmissionResponse,
			deadline
		});
		if (response.submissionId !== submissionId) throw aboutAnother(ENDPOINTS.readSubmission, "submissionId");
		return response;
	}
	async readAsset(submissionId, assetId, deadline) {
		const response = await this.#requester.send({
			endpoint: ENDPOINTS.readAsset,
			path: assetPath(submissionId, assetId),
			schema: AssetResponse,
			deadline
		});
		if (response.assetId !== assetId) throw aboutAnother(ENDPOINTS.readAsset, "assetId");
		if (response.submissionId && response.submissionId !== submissionId) throw aboutAnother(ENDPOINTS.readAsset, "submissionId");
		return response;
	}
	async readIssues(submissionId, assetId, deadline) {
		return await this.#requester.send({
			endpoint: ENDPOINTS.readIssues,
			path: `${assetPath(submissionId, assetId)}/issues`,
			schema: AnyResponse,
			deadline
		});
	}
	async readTopics(submissionId, assetId, deadline) {
		return await this.#requester.send({
			endpoint: ENDPOINTS.readTopics,
			path: `${assetPath(submissionId, assetId)}/topics`,
			schema: AnyResponse,
			deadline
		});
	}
	async readVersions(submissionId, deadline) {
		return await this.#requester.send({
			endpoint: ENDPOINTS.readVersions,
			path: `${submissionPath(submissionId)}/versions`,
			schema: AnyResponse,
			deadline
		});
	}
	async retryAsset(submissionId, assetId, deadline) {
		return await this.#requester.send({
			endpoint: ENDPOINTS.retryAsset,
			path: `${assetPath(submissionId, assetId)}/retry`,
			schema: CreationResponse,
			deadline
		});
	}
	async fireEvent(event, deadline) {
		return (await this.#requester.send({
			endpoint: ENDPOINTS.fire,
			path: "/sandbox/events/fire",
			payload: json(event),
			schema: FireResponse,
			deadline
		})).dispatched;
	}
};
function json(value) {
	return () => ({
		headers: { "content-type": "application/json" },
		body: JSON.stringify(value)
	});
}
function aboutAnother({ operation }, field) {
	return new ServiceError(operation, {
		kind: "unreadable",
		message: `\`${field}\` is not the requested one`,
		isJson: true
	});
}
function submissionPath(submissionId) {
	return `/submissions/${encodeURIComponent(submissionId.toWellFormed())}`;
}
function assetPath(submissionId, assetId) {
	return `${submissionPath(submissionId)}/assets/${encodeURIComponent(assetId.toWellFormed())}`;
}
// src/service/earlier-submissions.ts
const GONE$1 = [404, 410];
const NO_WAIT_MS = 1e3;
function deadlineFor(isUrgent, deadline) {
	return isUrgent ? deadline : {
		...deadline,
		until: Math.min(deadline.until, Date.now() + NO_WAIT_MS)
	};
}
async function readSubmissions(wanted, { client, deadline }) {
	const found = new Map();
	const unread = new Map();
	let left = wanted.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
	let stopped;
	let windowEndsAt;
	for (;;) {
		await concurrently(left, 8, read);
		left = left.filter((each) => !unread.has(each.submissionId) && !isWhole(each));
		windowEndsAt ??= Date.now() + CATCH_UP_MS;
		if (left.length === 0 || Date.now() >= windowEndsAt) break;
		await sleep(READ_AGAIN_MS, deadline.signal);
	}
	return {
		found,
		missing: new Set(left.map(({ submissionId }) => submissionId).filter((id) => !found.has(id))),
		unread
	};
	async function read({ submissionId, isUrgent }) {
		if (stopped) return void unread.set(submissionId, stopped);
		try {
			found.set(submissionId, await client.readSubmission(submissionId, deadlineFor(isUrgent, deadline)));
		} catch (error) {
			if (!(error instanceof ServiceError) || error.endsRun) throw error;
			if (GONE$1.includes(error.status)) return;
			if (error.stopsReading) stopped = error;
			unread.set(submissionId, error);
		}
	}
	function isWhole({ submissionId, assetIds }) {
		const listed = new Set(found.get(submissionId)?.assets.map(({ assetId }) => assetId));
		return found.has(submissionId) && assetIds.every((id) => listed.has(id));
	}
}
// src/state/document.ts
const Sha256 = pipe(string(), regex(/^[0-9a-f]{64}$/));
const Time = pipe(string(), isoTimestamp());
const StateDocument = object({
	contents: array(object({
		sha256: Sha256,
		name: string(),
		submissionId: string(),
		assetId: string(),
		analysedAt: Time,
		sidekicks: string(),
		versionGroupId: optional(string()),
		versionNumber: optional(pipe(number(), integer(), minValue(0))),
		issues: array(pipe(object({
			id: string(),
			severity: picklist(SEVERITIES),
			reportedSeverity: string(),
			status: string(),
			ruleCode: string(),
			summary: string(),
			headline: optional(string()),
			referenceNumber: nullish(number()),
			sidekickId: optional(string())
		}), transform(({ headline, referenceNumber, sidekickId, ...rest }) => ({
			...rest,
			headline,
			referenceNumber: referenceNumber ?? void 0,
			sidekickId,
			reasoning: void 0,
			precedents: [],
			createdAt: void 0,
			updatedAt: void 0
		}))))
	})),
	paths: array(object({
		path: string(),
		sha256: Sha256,
		submissionId: string(),
		seenAt: Time,
		isPresent: main_boolean()
	})),
	open: array(object({
		submissionId: string(),
		createdAt: Time,
		sidekicks: string(),
		contents: array(object({
			sha256: Sha256,
			name: string()
		}))
	}))
});
const DAY_MS = 864e5;
function isYounger(time, days, now) {
	return now.getTime() - Date.parse(time) < days * DAY_MS;
}
const MAX_BYTES$1 = 33554432;
function bounded(document, maxBytes = MAX_BYTES$1) {
	let kept = document;
	while (Buffer.byteLength(JSON.stringify(kept)) > maxBytes && kept.contents.length > 0) kept = withoutOldest(kept);
	return kept;
}
function describeForgotten(document, kept) {
	const forgotten = document.contents.length - kept.contents.length;
	if (forgotten === 0) return void 0;
	return `The state is too large to be kept whole: the oldest analyses (${forgotten} of ${document.contents.length}) are forgotten, and their files will be sent and billed again. Spread the files over several gates, each with its own \`name\`.`;
}
function withoutOldest(document) {
	const newestFirst = document.contents.toSorted((a, b) => a.analysedAt < b.analysedAt ? 1 : -1);
	const contents = newestFirst.slice(0, Math.floor(newestFirst.length * 3 / 4));
	const known = new Set(contents.map(({ sha256 }) => sha256));
	return {
		...document,
		contents,
		paths: document.paths.filter(({ sha256 }) => known.has(sha256))
	};
}
// src/plan/plan.ts
function isPaidAgain(reason) {
	return ![
		"new",
		"changed",
		"sidekicks changed",
		"media type changed"
	].includes(reason);
}
const NO_PLAN = {
	contents: [],
	problems: []
};
function hashSidekicks(sidekickIds) {
	return sidekickIds ? (0,external_node_crypto_.createHash)("sha256").update(sidekickIds.toSorted().join()).digest("hex").slice(0, 16) : "";
}
function withSource({ contents }, kind) {
	return contents.filter((each) => each.source.kind === kind);
}
function isAllReused(plan) {
	return plan.problems.length === 0 && plan.contents.every(({ source }) => source.kind === "reuse");
}
function makePlan(basis) {
	const { files, pointers, earlierState, rules } = basis;
	const openBySha = openContents(basis);
	const contents = [];
	const problems = [];
	for (const group of groupByContent(files, pointers)) {
		const content = contentOfGroup(group, rules.repositoryId);
		const known = earlierState.analysis(content.sha256, rules.sidekicks);
		const open = openBySha.get(content.sha256);
		if (known && isYounger(known.analysedAt, rules.reuseDays, rules.now) && isAnalysedAs(known.name, group)) contents.push({
			content: {
				...content,
				name: known.name
			},
			source: {
				kind: "reuse",
				known
			}
		});
		else if (open && isAnalysedAs(open.name, group)) contents.push({
			content: {
				...content,
				name: open.name
			},
			source: open.source
		});
		else if (isSendable(content)) contents.push({
			content,
			source: submitSource(content, basis)
		});
		else problems.push(...group.pointers.map(pointerProblem));
	}
	return {
		contents,
		problems
	};
}
function withoutLost({ contents, problems }, losses, basis) {
	const gone = new Set(contents.filter(({ content }) => losses.has(content.sha256)).map(submissionOf$1));
	const { repositoryId } = basis.rules;
	const groups = new Map([...groupByContent(basis.files, basis.pointers)].map((group) => [group.sha256, group]));
	const lost = [];
	return {
		contents: contents.flatMap((each) => {
			const loss = losses.get(each.content.sha256);
			const group = groups.get(each.content.sha256);
			if (loss === void 0 || !group) return [each];
			const content = contentOfGroup(group, repositoryId);
			if (isSendable(content)) return [{
				content,
				source: submitSource(content, basis, {
					why: loss,
					gone
				})
			}];
			lost.push(...group.pointers.map(pointerProblem));
			return [];
		}),
		problems: [...problems, ...lost]
	};
}
function submissionOf$1({ source }) {
	if (source.kind === "submit") return void 0;
	return source.kind === "await" ? source.submissionId : source.known.submissionId;
}
function groupByContent(files, pointers) {
	const groups = new Map();
	const groupOf = (sha256) => {
		const group = groups.get(sha256) ?? {
			sha256,
			files: [],
			pointers: []
		};
		groups.set(sha256, group);
		return group;
	};
	for (const file of files) groupOf(file.sha256).files.push(file);
	for (const pointer of pointers) groupOf(pointer.sha256).pointers.push(pointer);
	return groups.values();
}
function isAnalysedAs(name, { files, pointers }) {
	const analysed = categoryOfName(name);
	const named = pointers.map(({ path }) => categoryOfName(path)).filter((category) => category !== void 0);
	return [...files.map(({ type }) => type.category), ...named].every((wanted) => includesAnalysisOf(analysed, wanted));
}
function contentOfGroup({ sha256, files, pointers }, repositoryId) {
	const file = representativeFile(files) ?? files[0];
	const paths = [...files, ...pointers].map(({ path }) => path).toSorted();
	return {
		sha256,
		size: file?.stamp.size ?? pointers[0]?.size ?? 0,
		paths,
		file,
		name: file ? uploadName(file.path, {
			sha256,
			repositoryId,
			extension: file.type.extension
		}) : ""
	};
}
function isSendable(content) {
	return content.file !== void 0;
}
function openContents({ earlierState, rules: { sidekicks } }) {
	const bySha = new Map();
	for (const { submissionId, createdAt, sidekicks: used, contents } of earlierState.open) {
		if (used !== sidekicks) continue;
		for (const { sha256, name } of contents) {
			const isLater = createdAt > (bySha.get(sha256)?.source.createdAt ?? "");
			const isJudged = (earlierState.analysis(sha256, sidekicks)?.analysedAt ?? "") >= createdAt;
			if (isLater && !isJudged) bySha.set(sha256, {
				name,
				source: {
					kind: "await",
					submissionId,
					createdAt,
					assetIds: []
				}
			});
		}
	}
	return bySha;
}
function submitSource(content, { earlierState, rules }, lost) {
	const earlier = content.paths.map((path) => earlierState.path(path)).find((path) => path !== void 0);
	const anyAnalysis = earlierState.content(content.sha256);
	const previousId = earlier?.submissionId ?? anyAnalysis?.submissionId;
	const previous = earlier ? earlierState.content(earlier.sha256) : anyAnalysis;
	const isGone = previousId === void 0 || lost?.gone.has(previousId);
	return {
		kind: "submit",
		why: lost?.why ?? reasonToSend(),
		previousSubmissionId: isGone ? void 0 : previousId,
		previousGroupId: isGone ? void 0 : previous?.versionGroupId
	};
	function reasonToSend() {
		const known = earlierState.analysis(content.sha256, rules.sidekicks);
		if (known) return !isYounger(known.analysedAt, rules.reuseDays, rules.now) ? "earlier result too old" : "media type changed";
		if (anyAnalysis) return "sidekicks changed";
		return earlier ? "changed" : "new";
	}
}
function previousSubmissions(plan) {
	return new Map(withSource(plan, "submit").flatMap(({ content: { sha256 }, source: { previousSubmissionId: id } }) => id === void 0 ? [] : [[sha256, id]]));
}
function awaitedSubmissions(plan) {
	return [...Map.groupBy(withSource(plan, "await"), ({ source }) => source.submissionId).values()].flatMap((group) => {
		const contents = group.map(({ content }) => content);
		return group.slice(0, 1).map(({ source: { submissionId, createdAt, assetIds } }) => ({
			submissionId,
			createdAt,
			assetIds,
			contents
		}));
	});
}
function tooMany(plan, maxFiles) {
	const number = withSource(plan, "submit").length;
	if (number <= maxFiles) return [];
	return [{
		reason: "pre-flight",
		message: `${number} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`,
		fix: "Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed and billed. Then commit and push."
	}];
}
// src/plan/confirm.ts
const KEEP_TERMINAL_DAYS = 1;
async function main_confirm(plan, options) {
	const submissions = await readSubmissions(wantedSubmissions(plan, options), options);
	const { found, missing } = submissions;
	const awaited = withSource(plan, "await").filter((entry) => !missing.has(submissionOf$1(entry) ?? ""));
	const reused = await readReused(withSource(plan, "reuse").filter((entry) => !missing.has(submissionOf$1(entry) ?? "")), submissions, options);
	const losses = new Map([
		...plan.contents.flatMap((entry) => missing.has(submissionOf$1(entry) ?? "") ? [lostAs(entry, GONE)] : []),
		...await findGivenUp(awaited, found, options),
		...reused.losses
	]);
	return {
		losses,
		analyses: reused.analyses.filter(({ content }) => !losses.has(content.sha256)),
		outage: reused.stoppedBy?.isOutage ? explain(reused.stoppedBy) : void 0
	};
}
const GONE = "no longer at the service";
function lostAs({ content }, loss) {
	return [content.sha256, loss];
}
function wantedSubmissions({ contents }, options) {
	return [...Map.groupBy(contents, submissionOf$1)].flatMap(([submissionId, entries]) => {
		if (submissionId === void 0) return [];
		const sources = entries.map(({ source }) => source);
		return [{
			submissionId,
			assetIds: sources.flatMap((source) => source.kind === "reuse" ? [source.known.assetId] : []),
			isUrgent: sources.some((source) => source.kind === "await" || source.kind === "reuse" && canFail(source.known, options))
		}];
	});
}
function canFail({ issues }, { failOnSeverity }) {
	if (failOnSeverity === "never") return false;
	return issues.some(({ severity }) => severityRank(severity) <= severityRank(failOnSeverity));
}
async function findGivenUp(awaited, found, { client, mode, deadline, now }) {
	const lost = [];
	for (const [submissionId, entries] of Map.groupBy(awaited, ({ source }) => source.submissionId)) {
		const response = found.get(submissionId);
		if (!response) continue;
		const keepDays = isTerminal(response) ? KEEP_TERMINAL_DAYS : 7;
		const isOld = entries.some(({ source }) => !isYounger(source.createdAt, keepDays, now));
		if (response.status !== "failed" && !isOld) continue;
		const readings = await concurrently(response.assets, 8, async (listed) => await readAsset(listed, {
			client,
			submissionId,
			mode,
			deadline
		}));
		if (readings.some(({ error }) => error?.stopsReading)) continue;
		const byName = Map.groupBy(readings, ({ filename }) => filename);
		for (const entry of entries) {
			const own = byName.get(entry.content.name) ?? [];
			const { outcome } = analysisOf$1(entry.content, own, {
				submissionId,
				mode,
				readings
			});
			if (outcome === "failed" && !own.some(({ listed }) => listed.isRetryable)) lost.push(lostAs(entry, "earlier analysis failed"));
			else if (isOld && outcome !== "judged") lost.push(lostAs(entry, "earlier analysis never finished"));
		}
	}
	return lost;
}
async function readReused(entries, { found, unread }, options) {
	const { client, mode, deadline } = options;
	const assets = new Map([...found].flatMap(([id, { assets }]) => assets.map((listed) => [`${id} ${listed.assetId}`, listed])));
	const analyses = [];
	const losses = [];
	let stoppedBy = [...unread.values()].find((error) => error.isOutage);
	await concurrently(entries.map(inList).toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent)), 8, async (each) => {
		const analysis = await read(each);
		if (!analysis) losses.push(lostAs(each.entry, GONE));
		else if (analysis.outcome === "failed") losses.push(lostAs(each.entry, "earlier analysis failed"));
		else analyses.push(analysis);
	});
	return {
		analyses,
		losses,
		stoppedBy
	};
	function inList(entry) {
		const { known } = entry.source;
		const listed = assets.get(`${known.submissionId} ${known.assetId}`);
		const counted = listed?.issueCount;
		return {
			entry,
			listed,
			isUrgent: canFail(known, options) || typeof counted === "number" && counted !== known.issues.length
		};
	}
	async function read({ entry, listed, isUrgent }) {
		const { content, source } = entry;
		const { submissionId, issues } = source.known;
		const error = unread.get(submissionId);
		if (error && !error.stopsReading) return unjudged(content, submissionId, [about(content, explain(error))]);
		if (error) return lastKnown(entry);
		if (!listed) return void 0;
		if (!(issues.length > 0 || (listed.issueCount ?? 0) > 0) || stoppedBy || Date.now() >= deadline.until) return lastKnown(entry, listed);
		const reading = await readAsset(listed, {
			client,
			submissionId,
			mode,
			deadline: deadlineFor(isUrgent, deadline)
		});
		if (reading.error?.stopsReading) {
			stoppedBy = reading.error;
			return lastKnown(entry, listed, reading.issues);
		}
		return analysisOf$1(content, reading.filename === content.name ? [reading] : [], {
			submissionId,
			mode,
			readings: [reading]
		});
	}
}
function lastKnown({ content, source: { known } }, listed, read = []) {
	const { submissionId, assetId, versionNumber, versionGroupId, analysedAt } = known;
	const issues = joinById(read, known.issues);
	const counted = listed?.issueCount ?? 0;
	const analysis = {
		...unjudged(content, submissionId, []),
		issues,
		assetId,
		versionNumber,
		versionGroupId
	};
	const since = issues.length > 0 ? { lastKnownAt: analysedAt } : {};
	if (counted <= issues.length) return {
		...analysis,
		...since,
		outcome: "judged"
	};
	const cause = {
		reason: "results",
		message: `The service counts ${plural(counted, "issue")}, and only ${count$1(issues.length)} could be read before its rate limit or the time limit of this run was reached.`,
		fix: "An issue may be missing, so the file does not pass. Re-run the job later."
	};
	return {
		...analysis,
		...since,
		causes: [about(content, cause)]
	};
}
// src/service/storage.ts
const TIMEOUTS = {
	connectMs: CONNECT_MS,
	stallMs: 6e4,
	answerMs: 75e3
};
async function putFile(upload, edges, deadline) {
	const { uploadUrl, file } = upload;
	refuseUnsafe(uploadUrl, edges.baseUrl, file.path);
	const result = await withRetries({
		policy: TRANSFER,
		timeouts: TIMEOUTS,
		deadline,
		attempt: async (timeouts) => await put(upload, edges.http, {
			timeouts,
			signal: deadline.signal
		}),
		onRetry: (problem, delayMs) => edges.log.info(`${file.path}: the storage ${formatFailure(problem)}; trying again in ${Math.ceil(delayMs / 1e3)} s`)
	});
	if (result.ok) return result.value;
	throw new GateError(explainStorage(result.error, file.path));
}
async function put({ uploadUrl, file, buffers }, http, limits) {
	const { headers, body } = await plainBody(file, buffers);
	try {
		const answer = await http.send({
			method: "PUT",
			url: uploadUrl,
			headers: {
				...headers,
				"x-ms-blob-type": "BlockBlob"
			},
			body,
			...limits
		});
		if (answer.status >= 200 && answer.status < 300) return success("stored");
		if (answer.status === 403) return success("expired");
		return failure(storageRefusalIn(answer));
	} catch (error) {
		if (error instanceof ConnectionError) return failure({
			kind: "connection",
			error
		});
		throw error;
	}
}
function storageRefusalIn({ status, text, location, retryAfter }) {
	return {
		kind: "status",
		status,
		message: /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? "",
		location,
		retryAfter
	};
}
function isSafeTarget(target, baseUrl) {
	return target.protocol === "https:" || target.protocol === "http:" && isLoopback(new URL(baseUrl).hostname);
}
function refuseUnsafe(uploadUrl, baseUrl, path) {
	const target = new URL(uploadUrl);
	if (isSafeTarget(target, baseUrl)) return;
	throw new GateError({
		reason: "refused",
		path,
		message: `The service gave an upload address that is not https (${target.protocol}//${target.host}).`,
		fix: "Nothing was sent, because others on the network could read the file. Contact the service's support."
	});
}
function explainStorage(problem, path) {
	const message = `The storage did not take the file: it ${formatFailure(problem)}.`;
	const isOutage = problem.kind === "connection" || problem.kind === "status" && problem.status >= 500;
	const isBusy = problem.kind === "status" && (problem.status === 429 || problem.status === 408);
	if (!isOutage && !isBusy) return {
		reason: "refused",
		path,
		message,
		fix: "Re-run the job. If this happens again, contact the service's support."
	};
	return {
		reason: "service",
		path,
		message,
		fix: problem.kind === "connection" ? problem.error.fix ?? "Check that the runner can reach the storage (proxy, firewall), then re-run the job." : "Re-run the job when the storage is available again.",
		...isOutage && { isOutage }
	};
}
// src/service/upload.ts
const DIRECT_UPLOAD_CAP = 1e7;
async function upload$1(contents, options, deadline) {
	const { concurrency, log } = options;
	const refusals = [];
	const blobPaths = new Map();
	const queue = new UploadQueue(contents, concurrency, DIRECT_UPLOAD_CAP);
	const lanes = Array.from({ length: concurrency }, () => new PieceBuffers(concurrency));
	await concurrently(contents, concurrency, async (_, stop, lane) => {
		const content = queue.next(lane);
		const buffers = lanes[lane];
		if (!content || !buffers) return;
		try {
			const startedAt = Date.now();
			const signal = AbortSignal.any([deadline.signal, stop]);
			const { blobPath, receiver } = await uploadOne({
				content,
				buffers,
				options,
				deadline: {
					...deadline,
					signal
				}
			});
			blobPaths.set(content, blobPath);
			log.info(`[${blobPaths.size}/${contents.length}] ${content.paths[0]}: uploaded to ${receiver}, ${sizeAndRate(content.size, Date.now() - startedAt)}`);
		} catch (error) {
			const causes = refusalOf(error, content);
			if (!causes) throw error;
			refusals.push(...causes);
		}
	});
	if (refusals.length > 0) throw new GateError(refusals);
	return contents.map((content) => {
		const blobPath = blobPaths.get(content);
		if (blobPath === void 0) throw new RangeError(`${content.file.path} was not sent`);
		return {
			content,
			blobPath
		};
	});
}
function refusalOf(error, content) {
	if (error instanceof ServiceError && error.isAboutOneFile) return [explain(error, content.paths[0])];
	if (error instanceof GateError && error.causes.every(({ reason }) => reason === "refused" || reason === "pre-flight")) return error.causes;
}
async function uploadOne(one) {
	const { content } = one;
	try {
		return content.size <= 1e7 ? await uploadDirect(one) : await uploadPresigned(one);
	} finally {
		await assertUnchanged(content.file);
	}
}
async function uploadDirect(one) {
	const { content, buffers, options, deadline } = one;
	const { file, name } = content;
	try {
		const { blobPath, sizeBytes } = await options.client.uploadDirect({
			filename: name,
			file,
			buffers
		}, deadline);
		if (sizeBytes === content.size) return {
			blobPath,
			receiver: "the service"
		};
		throw new GateError({
			reason: "refused",
			path: file.path,
			message: `The service stored ${sizeBytes} bytes of a file of ${content.size}.`,
			fix: "Nothing was submitted or billed. Re-run the job. If this happens again, contact the service's support."
		});
	} catch (error) {
		if (error instanceof ServiceError && error.status === 413) return await uploadPresigned(one);
		throw error;
	}
}
async function uploadPresigned({ content, buffers, options, deadline }) {
	const { file, name } = content;
	for (const isLastTry of [false, true]) {
		const { uploadUrl, blobPath } = await options.client.uploadUrl(name, file.type.mime, deadline);
		if (await putFile({
			uploadUrl,
			file,
			buffers
		}, options, deadline) === "stored") return {
			blobPath,
			receiver: "its storage"
		};
		if (isLastTry) break;
		options.log.info(`${file.path}: the storage no longer accepts the upload address; asking for a new one`);
	}
	throw new GateError({
		reason: "refused",
		path: file.path,
		message: "The storage refused two fresh upload addresses of the service (403).",
		fix: "Check that no proxy between the runner and the storage changes requests, then re-run the job. If this happens again, contact the service's support."
	});
}
function sizeAndRate(bytes, milliseconds) {
	const seconds = Math.max(milliseconds, 1) / 1e3;
	return `${formatBytes(bytes)} in ${seconds.toFixed(1)} s (${formatBytes(Math.round(bytes / seconds))}/s)`;
}
var UploadQueue = class {
	#large;
	#small;
	#largeLanes;
	constructor(contents, lanes, maxSmallBytes) {
		this.#large = contents.filter(({ size }) => size > maxSmallBytes).toSorted((a, b) => a.size - b.size);
		this.#small = contents.filter(({ size }) => size <= maxSmallBytes).toReversed();
		this.#largeLanes = Math.ceil(lanes / 2);
	}
	next(lane) {
		const [own, others] = lane < this.#largeLanes ? [this.#large, this.#small] : [this.#small, this.#large];
		return own.pop() ?? others.pop();
	}
};
// src/plan/describe.ts
function describePlan(plan) {
	const sent = withSource(plan, "submit");
	const total = sent.reduce((sum, { content }) => sum + content.size, 0);
	const [reused, awaited] = [withSource(plan, "reuse").length, withSource(plan, "await").length];
	return [...plan.contents.map(describeContent), `${sent.length} to send (${formatBytes(total)}), ${reused} to reuse, ${awaited} to wait for`];
}
function describeContent({ content, source }) {
	switch (source.kind) {
		case "submit": return line(content.size <= 1e7 ? "send to service" : "send to storage", content, `${content.file?.type.mime}; ${source.why}`);
		case "await": return line("wait", content, `in submission ${source.submissionId}`);
		case "reuse": return line("reuse", content, `analysed ${source.known.analysedAt.slice(0, 10)}`);
	}
}
function line(what, { size, paths }, why) {
	return `${what.padEnd(16)} ${formatBytes(size).padStart(9)}  ${paths.join(", ")} (${why})`;
}
const DRY_RUN = {
	reason: "dry-run",
	message: "This was a dry run: nothing was sent or judged.",
	fix: "Remove `dry-run: true` to send the files and judge the issues."
};
function describeDryRunProblem({ path, message, fix }) {
	return `A real run would fail: ${path === void 0 ? "" : `${path}: `}${message} ${fix}`;
}
function describeLosses(plan, losses) {
	const lost = withSource(plan, "submit").filter(({ content }) => losses.has(content.sha256));
	const reasons = [...Map.groupBy(lost, ({ source }) => source.why)].map(([why, group]) => `${why}: ${formatList(group.map(({ content: { paths, name } }) => paths[0] ?? name))}`);
	return `${plural(lost.length, "file")} will be analysed and billed again (${reasons.join("; ")}).`;
}
function describeLastKnown(analyses) {
	const unread = analyses.filter(({ lastKnownAt }) => lastKnownAt !== void 0);
	const [oldest] = unread.map(({ lastKnownAt = "" }) => lastKnownAt).toSorted();
	if (oldest === void 0) return void 0;
	const paths = formatList(unread.map(({ content: { paths, name } }) => paths[0] ?? name));
	return `The issues of ${plural(unread.length, "file")} were not read again, because the service's rate limit or the time limit of this run was reached. They are shown as last known, the oldest from ${oldest.slice(0, 10)}: ${paths}. Files with issues that can change the verdict were read first.`;
}
function describeUnlinkedVersions(plan, analyses, linked) {
	const bySha = new Map(analyses.map((analysis) => [analysis.content.sha256, analysis]));
	const unlinked = withSource(plan, "submit").filter(({ content, source: { previousGroupId } }) => {
		const analysis = bySha.get(content.sha256);
		if (!analysis || !linked.has(content.sha256) || analysis.versionNumber === void 0) return false;
		const isOtherGroup = previousGroupId !== void 0 && analysis.versionGroupId !== previousGroupId;
		return analysis.versionNumber === 1 || isOtherGroup;
	});
	if (unlinked.length === 0) return void 0;
	const paths = formatList(unlinked.map(({ content: { paths, name } }) => paths[0] ?? name));
	return `The service did not link ${plural(unlinked.length, "file")} to the earlier version: ${paths}. The analysis is not affected, only the version history at the service.`;
}
// src/report/budget.ts
var Budget = class {
	left;
	constructor(bytes) {
		this.left = bytes;
	}
	take(text) {
		const bytes = Buffer.byteLength(text) + 1;
		if (bytes > this.left) return false;
		this.left -= bytes;
		return true;
	}
};
function takeWhileFits(items, budget, render) {
	const kept = [];
	for (const item of items) {
		const text = render(item);
		if (!budget.take(text)) break;
		kept.push(text);
	}
	return kept;
}
function truncate(text, most) {
	if (text.length <= most) return text;
	const end = Math.max(0, most - 1);
	const last = text.charCodeAt(end - 1);
	const isHighSurrogate = last >= 55296 && last <= 56319;
	return `${text.slice(0, isHighSurrogate ? end - 1 : end)}…`;
}
// src/report/phrases.ts
function countFiles(assets) {
	return assets.reduce((sum, { paths }) => sum + paths.length, 0);
}
function stopping(issues) {
	return `${plural(issues, "issue")} ${issues === 1 ? "stops" : "stop"} the check`;
}
function day(time) {
	return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}
const VERDICTS = {
	pass: "PASS",
	fail: "FAIL",
	error: "ERROR",
	skipped: "NOT CHECKED"
};
function isSandboxPass({ verdict, mode }) {
	return verdict === "pass" && mode === "sandbox";
}
function title(report) {
	if (isSandboxPass(report)) return "SANDBOX: nothing was analysed";
	return `${VERDICTS[report.verdict]}: ${titleText(report)}`;
}
function titleText({ mode, verdict, headline }) {
	return headline + (mode === "sandbox" && (verdict === "fail" || verdict === "error") ? " (sandbox: nothing was analysed)" : "");
}
const MARKS = {
	pass: "✅",
	fail: "❌",
	error: "🛑",
	skipped: "⏭️"
};
function verdictMark(report) {
	if (isSandboxPass(report)) return "🧪";
	return report.verdict === "error" && report.isPassing ? "⚠️" : MARKS[report.verdict];
}
const SEVERITY_MARKS = {
	CRITICAL: "🔴",
	MAJOR: "🟠",
	MINOR: "🟡",
	INFO: "🔵"
};
const SEVERITY_NAMES = {
	CRITICAL: "Critical",
	MAJOR: "Major",
	MINOR: "Minor",
	INFO: "Info"
};
function gateOf({ failsGate, standing }) {
	if (failsGate) return "stops";
	if (standing === "active") return "counted";
	return standing === "ignored" ? "closed" : standing;
}
const GATE_LABELS = {
	stops: "Stops the check",
	counted: "Active, does not stop the check",
	known: "Known on the base branch, not counted",
	waived: "Waived, not counted",
	closed: "Closed at the service, not counted"
};
function novelty({ isNew }) {
	if (isNew === void 0) return "";
	return isNew ? "not on the base branch" : "also on the base branch";
}
const UNCLEAR = "unclear whether submitted";
const SOURCES = {
	sent: "sent",
	reused: "reused",
	awaited: "sent by an earlier run",
	"not-sent": "not submitted"
};
function provenance({ source, sourceReason, analysedAt, retries }) {
	if (sourceReason === "unclear whether submitted") return UNCLEAR;
	const since = source === "reused" && analysedAt ? ` since ${day(analysedAt)}` : "";
	const why = sourceReason && source !== "not-sent" ? `: ${sourceReason}${since}` : "";
	return SOURCES[source] + why + (retries > 0 ? `, tried again ${plural(retries, "time")}` : "");
}
function version({ versionNumber, versionCount }) {
	if (versionNumber === void 0) return "";
	return versionCount === void 0 ? `${versionNumber}` : `${versionNumber} of ${versionCount}`;
}
function describeFile(asset) {
	const which = version(asset);
	return `${asset.category ?? asset.mime}, ${formatBytes(asset.size)}${which === "" ? "" : `, version ${which}`}`;
}
function describeChanges({ issues, fixed }) {
	if (fixed === void 0) return "";
	const added = issues.filter(({ isNewInVersion }) => isNewInVersion === true).length;
	return `${count$1(added)} new, ${count$1(issues.length - added)} stayed, ${count$1(fixed.length)} fixed`;
}
function isWithoutAnalysis({ assets }) {
	return assets.every(({ source }) => source === "not-sent");
}
function cost(report) {
	if (report.causes.some(({ submission }) => submission === "unconfirmed")) return "unknown: a submission may exist and be billed";
	if (isWithoutAnalysis(report)) return "nothing";
	const from = (wanted) => report.assets.filter(({ source }) => source === wanted);
	const assets = from("sent").length;
	const files = countFiles(from("sent"));
	const sent = `sent${report.mode === "sandbox" ? " to the sandbox" : ""}`;
	const awaited = countFiles(from("awaited"));
	return [
		files === assets ? `${count$1(files)} ${sent}` : `${plural(files, "file")} ${sent} as ${plural(assets, "asset")}`,
		`${count$1(report.counts.filesReused)} reused`,
		...awaited > 0 ? [`${count$1(awaited)} sent by an earlier run`] : []
	].join(", ");
}
function hasJudged({ assets, verdict, mode }) {
	return verdict !== "skipped" && mode !== "sandbox" && assets.some(({ outcome }) => outcome === "judged");
}
function cleanFiles(mode, files) {
	return `${plural(files, "file")} ${mode === "sandbox" ? "not analysed" : "without any issue"}`;
}
function consequence(report) {
	const { verdict, isPassing, mode, counts, lastKnown } = report;
	switch (verdict) {
		case "fail": return "If this check is required, the change cannot be merged.";
		case "error":
			if (isPassing) return "The check passes only because `on-service-error: warn` allows an outage. These files were not cleared.";
			return counts.filesMatched === 0 ? "No file was checked. If this check is required, the change cannot be merged." : `${hasJudged(report) ? "Not every" : "No"} file was judged. If this check is required, the change cannot be merged.`;
		case "skipped": return `The check passes, but ${counts.filesMatched === 0 ? "no file was checked" : "these files were not checked"}. This is not a clearance.`;
		case "pass":
			if (mode === "sandbox") return "The check passes because a sandbox analyses nothing. This is not a clearance.";
			if (lastKnown) return "The check passes by the last known results: the service could not be reached today.";
			return counts.issues === 0 ? "Nothing has to be done." : "Nothing has to be done, but the issues below are worth a look.";
	}
}
function threshold(report) {
	const { failOnSeverity, failOnIssues } = report.policy;
	if (failOnSeverity === "never") return "This gate only reports: no issue fails the check.";
	return `This gate fails on any ${failOnIssues === "new" ? "new issue" : "issue"} that is ${failOnSeverity === "CRITICAL" ? "CRITICAL" : `${failOnSeverity} or worse`}.`;
}
function receipt(report) {
	const { assets, verdict, isPassing } = report;
	const reused = assets.filter(({ source }) => source === "reused").length;
	const forgiven = verdict === "error" && isPassing ? ", passes because of `on-service-error: warn`" : "";
	return `${isWithoutAnalysis(report) ? "nothing was analysed" : `${analysedPart(report)}, ${count$1(reused)} reused, ${paidTwicePart(assets)}`}, verdict ${verdict}${forgiven}`;
}
function analysedPart({ assets, mode, isStateLost }) {
	const fresh = assets.filter(({ source }) => source === "sent" || source === "awaited");
	if (mode === "sandbox") return `${count$1(fresh.length)} sent to the sandbox`;
	const analysed = fresh.filter(({ outcome }) => outcome === "judged").length;
	if (analysed < fresh.length) return `${count$1(fresh.length)} sent, ${count$1(analysed)} analysed`;
	return isStateLost && analysed > 0 ? `${count$1(analysed)} analysed again: no state was found` : `${count$1(analysed)} analysed`;
}
function paidTwicePart(assets) {
	const repeats = assets.filter(({ isPaidAgain }) => isPaidAgain);
	const byReason = Object.entries(Object.groupBy(repeats, ({ sourceReason }) => sourceReason));
	const reasons = byReason.map(([reason, group = []]) => (byReason.length === 1 ? "" : `${count$1(group.length)} `) + reason);
	return `${count$1(repeats.length)} paid twice${reasons.length > 0 ? ` (${reasons.join(", ")})` : ""}`;
}
function failureLine(report) {
	const { verdict, causes } = report;
	if (verdict !== "error") return title(report);
	if (causes.length !== 1) return titleText(report);
	const judged = hasJudged(report) ? "not every file was judged" : "no file was judged";
	return `Media compliance: ${isWithoutAnalysis(report) ? "nothing was checked" : judged}. See the error above.`;
}
function tabledCauses({ causes, verdict }) {
	return causes.length > 1 || verdict === "fail" ? groupCauses(causes) : [];
}
function groupCauses(causes) {
	return [...Map.groupBy(causes, ({ reason, message, fix, path }) => JSON.stringify([
		reason,
		message,
		fix,
		path === void 0
	])).values()].flatMap((group) => {
		const [first] = group;
		if (!first) return [];
		const { path: _, ...cause } = first;
		const paths = group.flatMap(({ path }) => path === void 0 ? [] : [path]);
		return [{
			...cause,
			paths: paths.toSorted(byNumbers)
		}];
	});
}
function byNumbers(a, b) {
	return a.localeCompare(b, "en", { numeric: true });
}
function causesTitle({ counts, causes }) {
	return counts.filesMatched === 0 || causes.every(({ reason }) => reason === "bad-input") ? "What is wrong" : "What could not be judged";
}
// src/report/report.ts
const STANDINGS = [
	"active",
	"known",
	"waived",
	"ignored"
];
const RANKS = 2 * STANDINGS.length * SEVERITIES.length;
function rank(issue) {
	const place = STANDINGS.indexOf(issue.standing) * SEVERITIES.length + severityRank(issue.severity);
	return issue.failsGate ? place : place + RANKS / 2;
}
function worstFirst(report) {
	const buckets = Array.from({ length: RANKS }, () => []);
	for (const asset of report.assets) {
		const topics = topicsByIssue(asset);
		for (const issue of asset.issues) buckets[rank(issue)]?.push({
			asset,
			issue,
			topics: topics.get(issue.id) ?? []
		});
	}
	return buckets.flat();
}
function topicsByIssue(asset) {
	const titles = new Map();
	for (const { title, issueIds } of asset.topics) for (const id of issueIds) {
		const known = titles.get(id);
		if (known) known.push(title);
		else titles.set(id, [title]);
	}
	return titles;
}
function isClean(asset) {
	return asset.outcome === "judged" && asset.issues.length === 0 && (asset.fixed ?? []).length === 0;
}
// src/report/annotations.ts
const MAX_PER_LEVEL = 10;
const MAX_MESSAGE_LENGTH = 4096;
const MAX_TITLE_LENGTH$1 = 200;
const MAX_LIST_LENGTH = 1e3;
const MAX_PATHS$2 = 50;
const MAX_CAUSE_PATHS = 10;
const LEVELS$1 = [
	"error",
	"warning",
	"notice"
];
function annotations(report, spent = {
	error: 0,
	warning: 0,
	notice: 0
}) {
	const wanted = {
		error: [],
		warning: [],
		notice: []
	};
	const [failing, others] = partition(worstFirst(report));
	const [worst, ...lesser] = failing.map((entry) => ({ entry }));
	const [first, ...further] = groupCauses(report.causes).map((cause) => ({ cause }));
	const ofCauses = wanted[report.isPassing ? "warning" : "error"];
	if (worst) wanted.error.push(worst);
	if (first) ofCauses.push(first);
	wanted.error.push(...lesser);
	ofCauses.push(...further);
	for (const entry of others) wanted[entry.issue.severity === "INFO" ? "notice" : "warning"].push({ entry });
	return LEVELS$1.flatMap((level) => {
		const failingLine = level === "error" && !report.isPassing ? 1 : 0;
		const room = Math.max(0, MAX_PER_LEVEL - failingLine - spent[level]);
		return fit$1(report, {
			level,
			planned: wanted[level],
			room
		});
	});
}
function partition(listed) {
	const active = listed.filter(({ issue }) => issue.standing === "active");
	return [active.filter(({ issue }) => issue.failsGate), active.filter(({ issue }) => !issue.failsGate)];
}
function fit$1(report, { level, planned, room }) {
	const render = (one) => "cause" in one ? causeAnnotation(level, one.cause, report) : issueAnnotation(level, one.entry);
	if (room === 0 || planned.length <= room) return planned.slice(0, room).map(render);
	const left = planned.length - (room - 1);
	const where = report.fullReport ?? "the report files of this run";
	return [...planned.slice(0, room - 1).map(render), {
		level,
		title: `${count$1(left)} more`,
		message: message([`${count$1(left)} more of this level are not shown here: GitHub shows at most ${MAX_PER_LEVEL} for a step.`, `All of them are in the summary of this run and in the full report: ${where}.`])
	}];
}
function causeAnnotation(level, cause, { verdict }) {
	const [path] = cause.paths;
	const files = cause.paths.length > 1 ? `${plural(cause.paths.length, "file")} (${formatList(cause.paths, MAX_CAUSE_PATHS)})` : path;
	return {
		level,
		title: (verdict === "skipped" ? "Not checked: " : NOT_JUDGED) + titleOf(cause),
		message: message([withPath(files, cause.message), cause.fix]),
		...path === void 0 ? {} : {
			path,
			line: cause.line ?? 1
		}
	};
}
const NOT_JUDGED = "Not judged: ";
const TITLES = {
	issues: "issues",
	"asset-failed": "file could not be analysed",
	"pre-flight": "file cannot be sent",
	"bad-input": "input is not valid",
	"no-key": "no API key",
	auth: "API key refused",
	plan: "not included in the plan",
	service: "service not available",
	timeout: "analysis not finished in time",
	"no-files": "no files found",
	"dry-run": "dry run",
	refused: "refused by the service",
	results: "results incomplete",
	checkout: "wrong checkout",
	github: "GitHub did not answer",
	cancelled: "run cancelled",
	internal: "defect of this action"
};
function titleOf({ reason, paths, submission }) {
	if (submission === "unconfirmed") return "submission not confirmed";
	if (reason === "bad-input" && paths.length > 0) return "mistake in the waivers file";
	return reason === "pre-flight" && paths.length === 0 ? "too many files" : TITLES[reason];
}
function issueAnnotation(level, { asset, issue }) {
	const [path, ...others] = asset.paths;
	const reference = issue.referenceNumber === void 0 ? "" : ` #${issue.referenceNumber}`;
	const name = truncate(`${issue.severity} ${issue.ruleCode}`, MAX_TITLE_LENGTH$1);
	return {
		level,
		title: truncate(visibleLines(name), MAX_TITLE_LENGTH$1),
		message: message([
			withPath(path, `${name}${reference}: ${truncate(issue.summary, MAX_MESSAGE_LENGTH)}`),
			issue.headline ?? "",
			others.length > 0 ? alsoIn(others) : "",
			issue.url ?? "",
			issue.reasoning ?? ""
		]),
		...path === void 0 ? {} : {
			path,
			line: 1
		}
	};
}
function withPath(path, text) {
	return path === void 0 ? text : `${truncate(path, MAX_LIST_LENGTH)}: ${text}`;
}
function alsoIn(paths) {
	const named = truncate(paths.slice(0, MAX_PATHS$2).join(", "), MAX_LIST_LENGTH);
	return `The same bytes are also in ${plural(paths.length, "other file")}: ${named}`;
}
function message(parts) {
	return truncate(visibleLines(parts.filter((part) => part !== "").map((part) => truncate(part, MAX_MESSAGE_LENGTH)).join("\n")), MAX_MESSAGE_LENGTH);
}
// src/verdict/compare.ts
function compare(current, earlier) {
	const pool = Map.groupBy(earlier.filter(hasRule).toSorted(bySeverity), kindOf);
	const added = new Set(current.filter((issue) => !hasRule(issue)));
	for (const issue of current.filter(hasRule).toSorted(bySeverity)) {
		const same = pool.get(kindOf(issue)) ?? [];
		const index = same.findLastIndex(({ severity }) => severityRank(severity) <= severityRank(issue.severity));
		if (index === -1) added.add(issue);
		else same.splice(index, 1);
	}
	return {
		added,
		gone: [...pool.values()].flat()
	};
}
function hasRule({ ruleCode }) {
	return ruleCode !== "";
}
function kindOf({ ruleCode, sidekickId }) {
	return JSON.stringify([ruleCode, sidekickId ?? ""]);
}
function bySeverity(a, b) {
	return severityRank(a.severity) - severityRank(b.severity);
}
// src/verdict/last-known.ts
function lastKnownOf(outage, plan) {
	const [since] = withSource(plan, "reuse").map(({ source }) => source.known.analysedAt).toSorted();
	if (since === void 0) return void 0;
	const stands = isAllReused(plan) ? "No file has changed, so the last known verdict stands" : "Earlier analyses are shown as last known";
	return {
		since,
		message: `${outage.message} ${stands}; the oldest analysis is from ${since.slice(0, 10)}. Issues that were dismissed or re-opened since then are not taken into account.`
	};
}
// src/report/cause-hints.ts
function withHints(cause, facts) {
	const fix = hasFailedBefore(cause, facts) ? FAILED_AGAIN : cause.fix;
	return {
		...cause,
		fix: [fix, ...hintsFor(cause, facts)].join(" ")
	};
}
const FAILED_AGAIN = "The file failed in an earlier run as well, so a re-run is unlikely to help, and is billed again. Check that the file opens. If it is damaged, replace it, commit and push. If it is intact, contact the service's support, or exclude it with a line that starts with `!` in the input `files`.";
function hasFailedBefore({ reason, path }, { assets }) {
	if (reason !== "asset-failed" || path === void 0) return false;
	return assets.some(({ paths, sourceReason }) => sourceReason === "earlier analysis failed" && paths.includes(path));
}
function hintsFor(cause, facts) {
	return [
		...cause.submission === "open" ? [facts.isSubmissionSaved ? RESUMES : SENDS_AGAIN] : [],
		...cause.reason === "timeout" ? [RAISE_TIMEOUT] : [],
		...cause.reason === "auth" && facts.isStateBoundToKey ? [KEY_OPENS_STATE] : [],
		...outageHint(cause, facts)
	];
}
const RESUMES = "Re-run the job later: it resumes waiting for this submission and uploads nothing.";
const SENDS_AGAIN = "This run could not save its state, so a re-run submits and bills all files again. Set `state-file` to keep the state.";
const RAISE_TIMEOUT = "If analyses usually take this long, raise `wait-timeout-minutes`.";
const KEY_OPENS_STATE = "A new key cannot open the saved results: the next run analyses and bills every file again, unless `state-key` was set before.";
function outageHint({ reason }, { check }) {
	if (check === "passes" && (reason === "service" || reason === "timeout")) return ["Until then, these files are not judged."];
	if (check !== "fails" || reason !== "service") return [];
	return ["A maintainer can set `on-service-error: warn`; changes can then be merged unchecked during an outage."];
}
// src/report/headline.ts
function headline(facts) {
	switch (facts.verdict) {
		case "fail": return failing(facts) + fromMemory(facts);
		case "error": return troubled(facts) + (facts.isPassing ? " (the check passes because of `on-service-error: warn`)" : "");
		case "skipped": return facts.causes[0]?.message ?? "nothing was checked";
		case "pass": return passed(facts) + fromMemory(facts);
	}
}
function failing({ assets, counts }) {
	const failingIssues = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
	const bySeverity = SEVERITIES.map((severity) => ({
		severity,
		number: failingIssues.filter((issue) => issue.severity === severity).length
	})).filter(({ number }) => number > 0).map(({ severity, number }) => `${count$1(number)} ${severity}`);
	const files = countFiles(assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate)));
	const unjudged = countFiles(assets.filter(({ outcome }) => outcome !== "judged"));
	const also = unjudged > 0 ? `; ${plural(unjudged, "file")} could not be judged at all` : "";
	return `${bySeverity.join(", ")} ${counts.failing === 1 ? "issue" : "issues"} in ${count$1(files)} of ${plural(counts.filesMatched, "file")}${also}`;
}
function troubled({ causes, assets, counts }) {
	const [first] = causes;
	if (!first) return "something could not be judged";
	if (causes.length === 1) return sentence$1(first);
	const isAll = (reason) => causes.every((cause) => cause.reason === reason);
	if (isAll("bad-input") && causes.every(({ path }) => path === void 0)) return `${count$1(causes.length)} inputs have values that are not allowed`;
	const blamed = new Set(causes.map(({ path }) => path));
	if (isAll("bad-input") && blamed.size === 1) return `${first.path} has ${count$1(causes.length)} problems`;
	if (blamed.has(void 0) || blamed.size === 1) return `${count$1(causes.length)} problems, the first: ${sentence$1(first)}`;
	if (isAll("pre-flight")) return `${count$1(blamed.size)} of ${count$1(counts.filesMatched)} files cannot be sent, so nothing was sent`;
	if (isAll("refused") && assets.every(({ source }) => source === "not-sent")) return `The service refused ${count$1(blamed.size)} files, so none of the ${count$1(counts.filesMatched)} was submitted`;
	const copies = assets.map(({ paths }) => paths).filter((paths) => paths.some((path) => blamed.has(path)));
	const files = blamed.union(new Set(copies.flat())).size;
	return isAll("asset-failed") ? `The service could not analyse ${count$1(files)} of ${count$1(counts.filesMatched)} files` : `${count$1(files)} files could not be judged`;
}
function sentence$1({ path, message }) {
	return path === void 0 ? message : `${path}: ${message}`;
}
function passed({ counts, mode }) {
	const files = plural(counts.filesMatched, "file");
	if (mode === "sandbox") return `${files} went through the sandbox: nothing was analysed`;
	if (counts.issues === 0) return `${files} checked, no active issues${accepted(counts)}`;
	return `${files} checked, ${plural(counts.issues, "active issue")}, none that stops the check${accepted(counts)}`;
}
function accepted({ waived, known }) {
	return [...waived > 0 ? [`; ${plural(waived, "issue")} waived`] : [], ...known > 0 ? [`; ${plural(known, "issue")} known from the base branch`] : []].join("");
}
function fromMemory({ lastKnown }) {
	return lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : "";
}
const MAX_NAMED = 3;
function failingFiles({ assets }) {
	return formatList(assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate)).flatMap((asset) => asset.paths).map((path) => `\`${path}\``), MAX_NAMED);
}
function waiverStep({ assets, waiversFile }) {
	if (waiversFile === void 0) return [];
	const failing = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
	return [`To accept the issue, add a waiver for ${formatList([...new Set(failing.map(({ ruleCode }) => ruleCode))].map((rule) => `\`${rule}\``), MAX_NAMED)} to \`${waiversFile}\`. In a pull request, the file on the base branch counts.`];
}
const IN_REPOSITORY = [
	"bad-input",
	"pre-flight",
	"refused",
	"checkout",
	"no-files"
];
function afterwards(causes) {
	return causes.every(({ reason }) => IN_REPOSITORY.includes(reason)) ? " Then commit and push." : "";
}
function nextSteps$2(facts) {
	const fixes = [...new Set(facts.causes.map(({ fix }) => fix))];
	const askAgain = facts.lastKnown ? ["Re-run this job when the service answers again: it then reads the current statuses and uploads nothing."] : [];
	switch (facts.verdict) {
		case "fail": return [
			`Change or replace ${failingFiles(facts)} and push.${facts.keepsState ? " Only changed files are sent and billed." : ""}`,
			`If it is not a problem, dismiss the issue in the service and re-run this job${facts.keepsState ? ", which costs nothing" : ""}.`,
			...waiverStep(facts),
			...askAgain,
			...fixes
		];
		case "error": return fixes.length > 1 ? [`Each row of the table below says what to do.${afterwards(facts.causes)}`] : fixes;
		case "skipped": return fixes;
		case "pass": return facts.mode === "sandbox" ? ["To have the files analysed, use a live key (`sk_live_…`)."] : askAgain;
	}
}
// src/report/build.ts
function buildReport({ found, verdict, inputs, context, unsavedNotice, now }) {
	const { history, outage, stateFile } = found;
	const isUnconfirmed = verdict.causes.some(({ submission }) => submission === "unconfirmed");
	const assets = reportedAssets(verdict.contents, {
		found,
		issueUrl: inputs.issueUrl,
		isUnconfirmed,
		now
	});
	const counts = countsOf(assets, found);
	const lastKnown = outage && lastKnownOf(outage, found.plan);
	const judged = {
		verdict: verdict.name,
		reason: verdict.reason,
		isPassing: verdict.isPassing,
		mode: inputs.service?.mode ?? "",
		...lastKnown && { lastKnown },
		isStateLost: history.isStateLost,
		causes: verdict.causes.map((cause) => withHints(cause, {
			check: verdict.name === "error" ? verdict.isPassing ? "passes" : "fails" : void 0,
			isSubmissionSaved: stateFile !== "" || found.created === void 0,
			isStateBoundToKey: inputs.stateKey === void 0 && !history.earlierState.isEmpty,
			assets
		})),
		counts,
		assets
	};
	const sentences = {
		...judged,
		keepsState: stateFile !== "",
		waiversFile: inputs.waiversFile
	};
	const { failOnSeverity, failOnIssues, ignoreStatuses } = inputs.policy;
	const { repository, commit, ref, event, runUrl, serverUrl, branch } = context;
	return {
		gate: inputs.name,
		judgedAt: now.toISOString(),
		...judged,
		headline: headline(sentences),
		nextSteps: nextSteps$2(sentences),
		notices: [
			...found.notices,
			...found.created && unsavedNotice !== void 0 ? [unsavedNotice] : [],
			...found.waivers?.notices(assets) ?? []
		],
		policy: {
			failOnSeverity,
			failOnIssues,
			ignoreStatuses
		},
		submission: submissionOf(found),
		...context.docsUrl !== void 0 && { docs: context.docsUrl },
		run: {
			repository,
			commit,
			ref,
			event,
			url: runUrl,
			serverUrl,
			branch,
			...pullRequestOf(context)
		},
		highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? ""
	};
}
function pullRequestOf({ pullRequest }) {
	if (pullRequest?.number === void 0) return {};
	return { pullRequest: {
		number: pullRequest.number,
		headCommit: pullRequest.headSha
	} };
}
function submissionOf({ open, waited, plan, skipped }) {
	const id = open[0]?.submissionId ?? "";
	const response = waited.find(({ submission }) => submission.submissionId === id)?.response;
	const workflowId = response?.workflowId ?? open[0]?.workflowId;
	const isReused = plan.contents.length > 0 && isAllReused(plan) && !skipped;
	const status = response?.status ?? (waited.length > 0 ? "unknown" : "");
	return {
		id,
		status: isReused ? "reused" : status,
		...workflowId !== void 0 && { workflowId }
	};
}
function countsOf(assets, { discovery }) {
	const bySeverity = {
		CRITICAL: 0,
		MAJOR: 0,
		MINOR: 0,
		INFO: 0
	};
	const counts = {
		issues: 0,
		newIssues: 0,
		known: 0,
		waived: 0,
		ignored: 0,
		failing: 0
	};
	for (const issue of assets.flatMap((asset) => asset.issues)) {
		if (issue.failsGate) counts.failing += 1;
		if (issue.standing !== "active") {
			counts[issue.standing] += 1;
			continue;
		}
		counts.issues += 1;
		bySeverity[issue.severity] += 1;
		if (issue.isNew !== false) counts.newIssues += 1;
	}
	return {
		...counts,
		bySeverity,
		filesMatched: discovery.files.length,
		filesSubmitted: countFiles(assets.filter(({ source }) => source === "sent")),
		filesReused: countFiles(assets.filter(({ source }) => source === "reused")),
		paidAgain: assets.filter((asset) => asset.isPaidAgain).length,
		assetsFailed: assets.filter(({ outcome }) => outcome === "failed").length
	};
}
function reportedAssets(contents, sources) {
	return contents.map((judged) => reportedAsset(judged, sources)).toSorted(bySeriousness);
}
function originOf({ source }, { found, isUnconfirmed, now }) {
	const today = now.toISOString();
	switch (source.kind) {
		case "submit": {
			const isCreated = found.created !== void 0;
			return {
				source: isCreated ? "sent" : "not-sent",
				sourceReason: isUnconfirmed && !isCreated ? UNCLEAR : source.why,
				isPaidAgain: isCreated && isPaidAgain(source.why),
				analysedAt: isCreated ? today : void 0
			};
		}
		case "await": return {
			source: "awaited",
			sourceReason: `sent ${source.createdAt.slice(0, 10)}`,
			isPaidAgain: false,
			analysedAt: today
		};
		case "reuse": {
			const { analysedAt } = source.known;
			return {
				source: "reused",
				sourceReason: "unchanged",
				isPaidAgain: false,
				analysedAt
			};
		}
	}
}
function reportedAsset(judged, sources) {
	const { content, analysis, issues } = judged;
	const { found, issueUrl: template } = sources;
	const origin = originOf(judged, sources);
	const isJudged = analysis?.outcome === "judged";
	const { mime, category } = content.file?.type ?? typeOfPointer(content);
	const changes = isJudged ? changesSince(content, analysis.issues, found.history.earlierState) : void 0;
	const added = changes && new Set([...changes.added].map(({ id }) => id));
	return {
		paths: content.paths,
		size: content.size,
		sha256: content.sha256,
		mime,
		category,
		...origin,
		analysedAt: isJudged ? origin.analysedAt : void 0,
		submissionId: analysis?.submissionId,
		assetId: analysis?.assetId,
		versionNumber: analysis?.versionNumber,
		versionCount: analysis?.versionCount,
		retries: analysis?.retries ?? 0,
		outcome: analysis?.outcome ?? "unjudged",
		issues: issues.map((issue) => ({
			...issue,
			url: template === void 0 ? void 0 : linkTo(issue, analysis, template),
			isNewInVersion: added?.has(issue.id)
		})),
		fixed: changes?.gone,
		topics: analysis?.topics ?? []
	};
}
function linkTo({ id, referenceNumber }, analysis, template) {
	return issueUrl(template, {
		referenceNumber: String(referenceNumber ?? ""),
		issueId: id,
		assetId: analysis?.assetId ?? "",
		submissionId: analysis?.submissionId ?? ""
	});
}
function typeOfPointer({ paths }) {
	return typeOfExtension(extensionOf(paths[0] ?? "")) ?? {
		mime: "application/octet-stream",
		category: void 0
	};
}
function changesSince({ paths, sha256 }, issues, earlierState) {
	const before = paths.map((path) => earlierState.path(path)?.sha256).find((earlier) => earlier !== void 0 && earlier !== sha256);
	const known = before === void 0 ? void 0 : earlierState.content(before);
	return known && compare(issues, known.issues);
}
function bySeriousness(a, b) {
	return seriousness(a) - seriousness(b) || ((a.paths[0] ?? "") < (b.paths[0] ?? "") ? -1 : 1);
}
function seriousness({ issues, outcome }) {
	if (issues.some(({ failsGate }) => failsGate)) return 0;
	if (outcome !== "judged") return 1;
	const worst = issues.find(({ standing }) => standing === "active");
	return 2 + (worst ? severityRank(worst.severity) : SEVERITIES.length);
}
// src/report/cleared.ts
function isCleared(report, asset) {
	if (report.mode !== "live" || report.verdict === "skipped") return false;
	return asset.outcome === "judged" && !asset.issues.some((issue) => issue.failsGate);
}
function clearedFiles(report) {
	return report.assets.filter((asset) => isCleared(report, asset)).flatMap((asset) => asset.paths.map((path) => ({
		path,
		asset
	}))).toSorted((one, other) => one.path < other.path ? -1 : 1);
}
function renderCleared(report) {
	return clearedFiles(report).map(({ path, asset }) => checksumLine(asset.sha256, path)).join("");
}
const CHECKSUM_ESCAPES = {
	"\\": "\\\\",
	"\n": "\\n",
	"\r": "\\r"
};
function checksumLine(sha256, path) {
	const name = path.replace(/[\\\n\r]/g, (character) => CHECKSUM_ESCAPES[character] ?? character);
	return `${name === path ? "" : "\\"}${sha256}  ${name}\n`;
}
function renderPredicate(report) {
	const files = clearedFiles(report);
	return `${JSON.stringify({
		schemaVersion: 1,
		verifier: {
			name: "Media Compliance Gate",
			gate: report.gate
		},
		timeVerified: report.judgedAt,
		verdict: report.verdict,
		reason: report.reason,
		mode: report.mode,
		statuses: report.lastKnown ? "last known" : "read",
		policy: report.policy,
		source: {
			repository: report.run.repository,
			commit: report.run.commit,
			ref: report.run.ref,
			run: report.run.url
		},
		counts: {
			filesMatched: report.counts.filesMatched,
			filesCleared: files.length
		},
		cleared: files.map(({ path, asset }) => ({
			name: path,
			digest: { sha256: asset.sha256 },
			analysedAt: asset.analysedAt ?? null,
			submissionId: asset.submissionId ?? null,
			assetId: asset.assetId ?? null,
			versionNumber: asset.versionNumber ?? null,
			activeIssues: Object.fromEntries(SEVERITIES.map((severity) => [severity, asset.issues.filter((issue) => issue.standing === "active" && issue.severity === severity).length])),
			waivers: asset.issues.flatMap(({ waiver, ruleCode }) => waiver ? [{
				ruleCode,
				...waiver
			}] : [])
		}))
	}, void 0, 1)}\n`;
}
// src/report/json.ts
const JSON_VERSION = 1;
const ASSETS_IN_A_PIECE = 20;
function* renderJson(report) {
	const { assets } = report;
	const [head = ""] = inJson(withoutAssets(report)).split(/\]\n\}$/);
	yield head;
	for (let at = 0; at < assets.length; at += ASSETS_IN_A_PIECE) {
		const some = assets.slice(at, at + ASSETS_IN_A_PIECE).map((one) => inJson(asset(one)).replaceAll("\n", "\n  "));
		yield `${at === 0 ? "" : ","}\n  ${some.join(",\n  ")}`;
	}
	yield `${assets.length === 0 ? "" : "\n "}]\n}\n`;
}
function inJson(value) {
	return JSON.stringify(value, void 0, 1);
}
function withoutAssets(report) {
	return {
		schemaVersion: JSON_VERSION,
		gate: report.gate,
		judgedAt: report.judgedAt,
		verdict: report.verdict,
		reason: report.reason,
		isPassing: report.isPassing,
		mode: report.mode,
		lastKnown: report.lastKnown ?? null,
		headline: report.headline,
		nextSteps: report.nextSteps,
		causes: report.causes.map(cause),
		notices: report.notices,
		policy: report.policy,
		submission: submission(report),
		run: run$1(report),
		counts: report.counts,
		highestSeverity: report.highestSeverity,
		assets: []
	};
}
function cause({ reason, message, fix, path, line }) {
	return {
		reason,
		message,
		fix,
		path: path ?? null,
		line: line ?? null
	};
}
function submission({ submission: { id, status, workflowId } }) {
	return {
		id,
		status,
		workflowId: workflowId ?? null
	};
}
function run$1({ run: { repository, commit, ref, event, url } }) {
	return {
		repository,
		commit,
		ref,
		event,
		url
	};
}
function asset(one) {
	return {
		paths: one.paths,
		size: one.size,
		sha256: one.sha256,
		mime: one.mime,
		category: one.category ?? null,
		source: one.source,
		sourceReason: one.sourceReason,
		analysedAt: one.analysedAt ?? null,
		submissionId: one.submissionId ?? null,
		assetId: one.assetId ?? null,
		versionNumber: one.versionNumber ?? null,
		versionCount: one.versionCount ?? null,
		retries: one.retries,
		outcome: one.outcome,
		issues: one.issues.map(reportedIssue),
		fixed: one.fixed?.map(issue) ?? null,
		topics: one.topics.map(({ title, issueIds }) => ({
			title,
			issueIds
		}))
	};
}
function reportedIssue(one) {
	return {
		...issue(one),
		standing: one.standing,
		isNew: one.isNew ?? null,
		failsGate: one.failsGate,
		url: one.url ?? null,
		waiver: one.waiver ?? null
	};
}
function issue(one) {
	return {
		id: one.id,
		referenceNumber: one.referenceNumber ?? null,
		ruleCode: one.ruleCode,
		severity: one.severity,
		reportedSeverity: one.reportedSeverity,
		status: one.status,
		summary: one.summary,
		headline: one.headline ?? null,
		reasoning: one.reasoning ?? null,
		precedents: one.precedents.map(({ url, title, decision, date }) => ({
			url,
			title,
			decision,
			date
		})),
		sidekickId: one.sidekickId ?? null,
		createdAt: one.createdAt ?? null,
		updatedAt: one.updatedAt ?? null
	};
}
// src/report/junit.ts
const MAX_TEXT_LENGTH$4 = 2e3;
const MAX_ISSUES$1 = 200;
function renderJunit(report) {
	const causes = Map.groupBy(report.causes, ({ path }) => path);
	const cases = report.assets.flatMap((asset) => {
		const own = asset.paths.flatMap((path) => causes.get(path) ?? []);
		return asset.paths.map((name) => fileCase(report, asset, {
			name,
			causes: own
		}));
	});
	const listed = new Set(report.assets.flatMap((asset) => asset.paths));
	for (const cause of report.causes) {
		if (cause.path !== void 0 && listed.has(cause.path)) continue;
		const name = cause.path ?? cause.reason;
		const body = element$1("error", {
			type: cause.reason,
			message: cause.message,
			text: cause.fix
		});
		cases.push(report.verdict === "skipped" ? skippedCase(report, name) : {
			name,
			result: "error",
			body
		});
	}
	const total = (result) => cases.filter((one) => one.result === result).length;
	const counts = `tests="${cases.length}" failures="${total("failed")}" errors="${total("error")}" skipped="${total("skipped")}"`;
	const gate = xml(report.gate);
	return [
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
		`<testsuites name="${gate}" ${counts} time="0">`,
		`<testsuite name="${gate}" ${counts} time="0" timestamp="${xml(report.judgedAt)}">`,
		`<properties>${properties(report).join("")}</properties>`,
		...cases.map((one) => `<testcase classname="${gate}" name="${xml(one.name)}" time="0">${one.body}</testcase>`),
		"</testsuite>",
		"</testsuites>",
		""
	].join("\n");
}
function properties(report) {
	return [
		["verdict", report.verdict],
		["headline", title(report)],
		...report.lastKnown ? [["last-known", report.lastKnown.since]] : []
	].map(([name, value]) => `<property name="${name}" value="${xml(truncate(value, MAX_TEXT_LENGTH$4))}"/>`);
}
function fileCase(report, asset, { name, causes }) {
	const failing = asset.issues.filter((issue) => issue.failsGate);
	const rest = asset.issues.filter((issue) => !issue.failsGate);
	const [cause, ...further] = causes;
	const problems = (failing.length === 0 && asset.outcome !== "judged" ? further : causes).map(({ message, fix }) => truncate(`${message} ${fix}`, MAX_TEXT_LENGTH$4));
	const output = `<system-out>${xml([
		provenance(asset),
		...problems,
		...lines(rest)
	].join("\n"))}</system-out>`;
	const [worst] = failing;
	if (worst !== void 0) return {
		name,
		result: "failed",
		body: element$1("failure", {
			type: `${worst.severity} ${worst.ruleCode}`,
			message: stopping(failing.length),
			text: lines(failing).join("\n")
		}) + output
	};
	if (asset.outcome === "judged") return {
		name,
		result: "passed",
		body: output
	};
	if (report.verdict === "skipped") return skippedCase(report, name);
	const message = cause?.message ?? (asset.outcome === "failed" ? "The analysis failed." : "The file was not judged.");
	return {
		name,
		result: "error",
		body: element$1("error", {
			type: cause?.reason ?? asset.outcome,
			message,
			text: cause?.fix ?? ""
		}) + output
	};
}
function skippedCase(report, name) {
	return {
		name,
		result: "skipped",
		body: `<skipped message="${xml(truncate(title(report), MAX_TEXT_LENGTH$4))}"/>`
	};
}
function element$1(name, { type, message, text }) {
	return `<${name} message="${xml(truncate(message, MAX_TEXT_LENGTH$4))}" type="${xml(truncate(type, 200))}">${xml(text)}</${name}>`;
}
function lines(issues) {
	const shown = issues.slice(0, MAX_ISSUES$1).map((issue) => {
		const number = issue.referenceNumber === void 0 ? "" : ` #${issue.referenceNumber}`;
		const text = truncate(issue.headline || issue.summary, MAX_TEXT_LENGTH$4);
		return `${issue.severity} ${truncate(issue.ruleCode, 200)}${number} (${issue.standing}, ${truncate(issue.status, 80)}): ${text}`;
	});
	return issues.length > MAX_ISSUES$1 ? [...shown, `and ${issues.length - MAX_ISSUES$1} more`] : shown;
}
// src/report/github-links.ts
function repositoryUrl({ serverUrl, repository }) {
	return serverUrl && repository ? `${serverUrl}/${repository}` : void 0;
}
function lastingCommit({ pullRequest, commit }) {
	return pullRequest?.headCommit ?? commit;
}
function commitUrl(run) {
	return below(run, `commit/${run.commit}`, run.commit);
}
function pullRequestUrl(run) {
	return run.pullRequest && below(run, `pull/${run.pullRequest.number}`);
}
function branchUrl(run) {
	const name = (run.branch ?? "").replace(/^refs\/(?:heads|tags)\//, "");
	return name.includes(":") ? void 0 : below(run, `tree/${encodePath(name)}`, name);
}
function fileAtCommitUrl(run, path) {
	const commit = lastingCommit(run);
	return below(run, `blob/${commit}/${encodePath(path)}`, commit);
}
function comparisonUrl(run, path) {
	const anchor = (0,external_node_crypto_.createHash)("sha256").update(path).digest("hex");
	return run.pullRequest && below(run, `pull/${run.pullRequest.number}/files#diff-${anchor}`);
}
function fileUrl(run, path) {
	return comparisonUrl(run, path) ?? fileAtCommitUrl(run, path);
}
function below(run, rest, needed = "x") {
	const repository = repositoryUrl(run);
	return repository === void 0 || needed === "" ? void 0 : `${repository}/${rest}`;
}
function encodePath(path) {
	return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
function link$1(url, inner) {
	const href = url === void 0 ? void 0 : safeHref(url);
	return href === void 0 ? inner : `<a href="${html$1(href)}">${inner}</a>`;
}
function moreAbout({ reason, docs }) {
	if (reason === "" || docs === void 0) return "";
	return `More about <code>${reason}</code>: ${link$1(`${docs}/troubleshooting.md#${reason}`, "troubleshooting")}.`;
}
// src/report/page/folders.ts
const MAX_FOLDERS = 40;
function dividingFolders(paths) {
	return divide("", paths, MAX_FOLDERS).toSorted();
}
function divide(folder, paths, room) {
	const below = paths.filter((path) => path.includes("/", folder.length));
	const parts = Map.groupBy(below, (path) => path.slice(0, path.indexOf("/", folder.length) + 1));
	const isDivided = folder === "" || parts.size === 1 || parts.size <= room && 2 * parts.size <= below.length;
	if (parts.size === 0 || !isDivided) return folder === "" ? [] : [folder];
	const divided = [...parts].flatMap(([part, own]) => divide(part, own, Math.floor(room / parts.size)));
	return folder !== "" && below.length < paths.length ? [folder, ...divided] : divided;
}
function foldersWith(folders, paths) {
	return folders.filter((folder) => paths.some((path) => path.startsWith(folder)));
}
const MAX_STATUS_LENGTH = 80;
const MAX_TITLE_LENGTH = 100;
const MAX_VALUES = 300;
function facetValues(issue, asset) {
	const { isNew } = issue;
	return {
		severity: issue.severity,
		gate: gateOf(issue),
		rule: truncate(issue.ruleCode, 200),
		status: truncate(issue.status, MAX_STATUS_LENGTH),
		change: changeOf(issue, asset),
		base: isNew === void 0 ? void 0 : isNew ? "new" : "both"
	};
}
function changeOf({ isNewInVersion }, asset) {
	if (isNewInVersion !== void 0) return isNewInVersion ? "new" : "stayed";
	if (asset.source === "reused") return "stayed";
	return asset.sourceReason === "new" ? "new" : "unknown";
}
const LABELS = {
	severity: "Severity",
	folder: "Folder",
	rule: "Rule",
	gate: "In this gate",
	change: "Since the version before",
	base: "Compared with the base branch",
	status: "Status at the service"
};
const NAMED = {
	severity: Object.fromEntries(SEVERITIES.map((severity) => [severity, SEVERITY_NAMES[severity]])),
	gate: GATE_LABELS,
	change: {
		new: "New, or in a new file",
		stayed: "Stayed",
		unknown: "Not compared",
		fixed: "Fixed"
	},
	base: {
		new: "Not on the base branch",
		both: "Also on the base branch"
	}
};
function facetsOf(issues, fixed) {
	const counts = countValues(issues);
	const titles = ruleTitles(issues);
	if (fixed > 0) counts.change.set("fixed", fixed);
	return FACET_NAMES.map((name) => {
		const found = counts[name];
		const named = NAMED[name];
		const order = named ? Object.keys(named).filter((value) => found.has(value)) : [...found.keys()];
		const values = order.slice(0, MAX_VALUES).map((value) => ({
			value,
			label: named?.[value] ?? value,
			title: name === "rule" ? titles.get(value) : void 0,
			count: found.get(value) ?? 0
		}));
		return {
			name,
			label: LABELS[name],
			values,
			hidden: order.length - values.length
		};
	}).filter(canNarrow);
}
const FACET_NAMES = [
	"severity",
	"folder",
	"rule",
	"gate",
	"change",
	"base",
	"status"
];
function countValues(issues) {
	const folders = foldersByAsset(issues);
	const counts = {
		severity: new Map(),
		folder: new Map([...new Set([...folders.values()].flat())].toSorted().map((folder) => [folder, 0])),
		rule: new Map(),
		gate: new Map(),
		change: new Map(),
		base: new Map(),
		status: new Map()
	};
	for (const { issue, asset } of issues) {
		const values = {
			...facetValues(issue, asset),
			folder: folders.get(asset)
		};
		for (const name of FACET_NAMES) for (const value of [values[name] ?? []].flat()) counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
	}
	return counts;
}
function ruleTitles(issues) {
	const titles = new Map();
	for (const { issue } of issues) {
		const rule = truncate(issue.ruleCode, 200);
		const title = truncate(issue.headline ?? "", MAX_TITLE_LENGTH);
		titles.set(rule, (titles.get(rule) ?? title) === title ? title : "");
	}
	return titles;
}
function foldersByAsset(issues) {
	const assets = [...new Set(issues.map(({ asset }) => asset))];
	const folders = dividingFolders(assets.flatMap(shownPaths));
	return new Map(assets.map((asset) => [asset, foldersWith(folders, shownPaths(asset))]));
}
function shownPaths({ paths }) {
	return paths.slice(0, 20);
}
function canNarrow({ name, values }) {
	if (name === "severity" || name === "rule") return values.length > 0;
	return values.length > 1 || name === "change" && values[0]?.value === "fixed";
}
// src/report/page/html.ts
var Html = class {
	source;
	constructor(source) {
		this.source = source;
	}
};
const HARMLESS = /^[ !#-%(-;=?-~]*$/;
function html(strings, ...values) {
	let source = strings[0] ?? "";
	for (const [index, value] of values.entries()) source += sourceOf(value) + (strings[index + 1] ?? "");
	return new Html(source);
}
function sourceOf(value) {
	if (value instanceof Html) return value.source;
	if (typeof value === "string") return HARMLESS.test(value) ? value : html$1(value);
	if (typeof value === "number") return String(value);
	if (typeof value === "object") return value.map(sourceOf).join("");
	return "";
}
function trusted(source) {
	return new Html(source);
}
function joinHtml(items, separator) {
	return html`${items.map((item, index) => index === 0 ? item : [separator, item])}`;
}
function main_link(url, inner) {
	const href = url === void 0 ? void 0 : safeHref(url);
	return href === void 0 ? html`${inner}` : html`<a href="${href}">${inner}</a>`;
}
function prose(text) {
	return html`${text.split(/`([^`]+)`/u).map((piece, index) => index % 2 === 1 ? html`<code>${piece}</code>` : piece)}`;
}
// src/report/page/issue.ts
const MAX_TEXT_LENGTH$3 = 2e4;
const MAX_OPEN_LENGTH = 600;
const MAX_PRECEDENTS$1 = 50;
const MAX_TOPICS$1 = 5;
function issueBlock({ issue, asset, topics }, { id, playable, policy }) {
	const { severity, gate, rule, status, change, base } = facetValues(issue, asset);
	const tags = [
		html`<span class="tag${gate === "stops" && " stop"}">${effect(issue, policy)}</span>`,
		html`<span class="tag">Status at the service: ${status}</span>`,
		issue.isNewInVersion && html`<span class="tag">New since the version before</span>`,
		base && html`<span class="tag">${base === "new" ? "Not on the base branch" : "Also on the base branch"}</span>`
	].filter(Boolean);
	return html`<article class="issue ${issue.severity}" id="${id}" tabindex="-1" data-severity="${severity}" data-gate="${gate}" data-status="${status}" data-rule="${rule}" data-change="${change}"${base && html` data-base="${base}"`}>
${issueTitle(issue, issue.url)}${permalink(id, issue)}
<p class="tags">${joinHtml(tags, " ")}</p>
<p class="text">${timed(truncate(issue.summary, MAX_TEXT_LENGTH$3), playable)}</p>${waiver(issue)}${topicLine(topics)}${why(issue, playable)}</article>
`;
}
function effect(issue, { failOnSeverity }) {
	switch (gateOf(issue)) {
		case "counted": return failOnSeverity === "never" ? "Does not stop the check: this gate only reports" : `Does not stop the check: ${issue.severity} is below ${failOnSeverity}`;
		case "known": return "Does not stop the check: known on the base branch";
		case "waived": return "Does not stop the check: waived";
		case "closed": return "Does not stop the check: closed at the service";
		case "stops": return GATE_LABELS.stops;
	}
}
function issueTitle(issue, url) {
	const isUnknown = issue.severity !== issue.reportedSeverity;
	return html`<h3><b class="badge">${issue.severity}</b> ${truncate(issue.headline || issue.summary, 300)}</h3>
<p class="ref"><code>${truncate(issue.ruleCode, 200)}</code>${issue.referenceNumber !== void 0 && html` ${main_link(url, `#${issue.referenceNumber}`)}`}${isUnknown && html` <span class="soft">reported as ${truncate(issue.reportedSeverity, 40)}, which counts as ${issue.severity}</span>`}</p>`;
}
function permalink(id, { referenceNumber }) {
	return html`<a class="copy" href="#${id}" aria-label="Link to issue ${referenceNumber === void 0 ? "" : `#${referenceNumber}`}"></a>`;
}
function fixedBlock(issue, id) {
	return html`<article class="issue fixed" id="${id}" tabindex="-1" data-severity="${issue.severity}" data-rule="${truncate(issue.ruleCode, 200)}" data-change="fixed">
${issueTitle(issue, void 0)}${permalink(id, issue)}
<p class="tags"><span class="tag good">Fixed since the version before</span></p>${issue.headline && html`<p class="text">${truncate(issue.summary, MAX_TEXT_LENGTH$3)}</p>`}</article>
`;
}
function waiver({ waiver: found }) {
	return found && html`<p class="soft">Waived by ${truncate(found.owner, 100)} until ${truncate(found.expires, 40)}: ${truncate(found.reason, 1e3)}</p>`;
}
function topicLine(titles) {
	if (titles.length === 0) return void 0;
	const shown = titles.slice(0, MAX_TOPICS$1).map((title) => truncate(title, 200));
	return html`<p class="soft">Topic: ${shown.join("; ")}${more$1(titles.length - shown.length, "; and")}</p>`;
}
function why(issue, playable) {
	const { severity, reasoning = "", failsGate } = issue;
	const list = precedentList(issue);
	if (reasoning === "") return list;
	const text = html`<p class="text">${timed(truncate(reasoning, MAX_TEXT_LENGTH$3), playable)}</p>`;
	return failsGate || reasoning.length <= MAX_OPEN_LENGTH ? html`<div class="why"><h4>Why ${severity}</h4>${text}</div>${list}` : html`<details><summary>Why ${severity}</summary>${text}${list}</details>`;
}
function precedentList({ precedents }) {
	if (precedents.length === 0) return void 0;
	const rows = precedents.slice(0, MAX_PRECEDENTS$1).map((one) => {
		return html`<li>${main_link(one.url, truncate(one.title || one.url || "untitled", 300))}${one.decision && html`: ${truncate(one.decision, 1e3)}`}${one.date && ` (${truncate(day(one.date), 40)})`}</li>`;
	});
	const hidden = precedents.length - rows.length;
	return html`<h4>Precedents</h4><ul>${rows}${hidden > 0 && html`<li>${more$1(hidden, "and")}</li>`}</ul>`;
}
function more$1(hidden, before) {
	return hidden > 0 ? `${before} ${hidden} more` : "";
}
const TIME = /(?<![\d:.])((?:\d{1,2}:)?\d{1,2}:[0-5]\d)(?![\d:])/u;
function timed(text, playable) {
	if (playable === void 0) return text;
	return text.split(TIME).map((piece, index) => index % 2 === 1 ? html`<a class="time" href="#${playable}" data-seconds="${secondsOf(piece)}">${piece}</a>` : piece);
}
function secondsOf(time) {
	return time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
// src/report/page/media.ts
const SHOWABLE = new Set([
	"image/png",
	"image/jpeg",
	"image/gif",
	"image/webp",
	"image/avif",
	"image/bmp",
	"image/svg+xml",
	"video/mp4",
	"video/webm",
	"video/ogg",
	"audio/mpeg",
	"audio/mp4",
	"audio/wav",
	"audio/x-wav",
	"audio/vnd.wave",
	"audio/ogg",
	"audio/flac",
	"audio/aac",
	"audio/webm"
]);
const MAX_PAGE_BYTES = 195e5;
const MAX_MEDIA_BYTES = 1e7;
const BYTES_PER_ISSUE = 1e3;
const BYTES_PER_FILE = 800;
function encodedSize(bytes) {
	return 4 * Math.ceil(bytes / 3);
}
function mediaBudget(assets) {
	const text = assets.reduce((sum, asset) => sum + asset.issues.length + (asset.fixed ?? []).length, 0) * BYTES_PER_ISSUE + assets.length * BYTES_PER_FILE;
	return Math.max(0, Math.min(MAX_MEDIA_BYTES, MAX_PAGE_BYTES - text));
}
function mediaToEmbed(assets, budget = mediaBudget(assets)) {
	let left = budget;
	return assets.filter((asset) => {
		const hasOrHadIssues = asset.issues.length > 0 || (asset.fixed ?? []).length > 0;
		const size = encodedSize(asset.size);
		if (!hasOrHadIssues || !SHOWABLE.has(asset.mime) || size > left) return false;
		left -= size;
		return true;
	});
}
function shownAs(media) {
	if (media === void 0 || !SHOWABLE.has(media.mime)) return "link";
	if (media.mime.startsWith("image/")) return "image";
	return media.mime.startsWith("video/") ? "film" : "sound";
}
function mediaFigure(asset, { media, run, id }) {
	const [path = ""] = asset.paths;
	const address = fileAtCommitUrl(run, path);
	const name = NAMES[asset.category ?? "file"];
	if (media === void 0 || shownAs(media) === "link") {
		if (address === void 0) return void 0;
		return html`<p class="elsewhere">${main_link(address, `Open the ${name} on GitHub`)} <span class="soft">(${formatBytes(asset.size)}, not embedded in this page)</span></p>`;
	}
	const url = trusted(`data:${media.mime};base64,${media.bytes.toString("base64")}`);
	const label = `The checked ${name} ${path.slice(0, 300)}`;
	const caption = address === void 0 ? void 0 : html`<figcaption>${main_link(address, "Open on GitHub")}</figcaption>`;
	const onPaper = shownAs(media) !== "image" && html`<p class="paper">${shownAs(media) === "film" ? "Film" : "Sound"}, not shown on paper${address && `: ${address}`}</p>`;
	return html`<figure id="${id}">${main_element(shownAs(media), url, label)}${onPaper}${caption}</figure>`;
}
function main_element(shown, url, label) {
	if (shown === "film") return html`<video controls playsinline preload="none" aria-label="${label}" src="${url}"></video>`;
	if (shown === "sound") return html`<audio controls preload="none" aria-label="${label}" src="${url}"></audio>`;
	return html`<button type="button" class="zoom" aria-label="Enlarge. ${label}"><img src="${url}" alt="${label}" decoding="async"></button>`;
}
const NAMES = {
	video: "film",
	audio: "sound",
	image: "image",
	document: "document",
	file: "file"
};
// src/report/page/file.ts
const MAX_FIXED = 500;
const MAX_PATH_LENGTH = 500;
function playableId({ id, media }) {
	const shown = shownAs(media);
	return shown === "film" || shown === "sound" ? `${id}-media` : void 0;
}
function pathLink$1(run, path) {
	return main_link(fileUrl(run, path), html`<code>${truncate(path, MAX_PATH_LENGTH)}</code>`);
}
function fileFrame(file, run, newFixedId) {
	const { asset, id, media } = file;
	const figure = mediaFigure(asset, {
		media,
		run,
		id: `${id}-media`
	});
	return {
		head: html`<div class="head"><h2 id="${id}-name">${pathLink$1(run, asset.paths[0] ?? "")}</h2>${mark(asset)}</div>`,
		before: html`<p class="soft facts-line">${describeFile(asset)}; ${truncate(provenance(asset), 300)}<span class="paper">; SHA-256 ${asset.sha256}</span></p>${copies(asset, run)}${versionLine(asset, run)}
<div class="beside ${shownAs(media)}">${figure}<div class="issues">
`,
		after: html`${notJudged(file)}${fixedList(asset, newFixedId)}</div></div>`
	};
}
function fileSection({ asset, id }, frame, issues) {
	const hidden = asset.issues.length - issues.length;
	const note = hidden > 0 && html`<p class="soft">${plural(hidden, "less severe issue")} only in report.json</p>`;
	return html`<section class="file${issues.length === 0 && " bare"}" id="${id}" aria-labelledby="${id}-name">
${frame.head}${frame.before}${issues}${note}${frame.after}
</section>
`;
}
function mark(asset) {
	const failing = asset.issues.filter((issue) => issue.failsGate).length;
	if (failing > 0) return html`<span class="tag stop whole">${stopping(failing)}</span>`;
	return asset.outcome !== "judged" && html`<span class="tag stop">Not judged</span>`;
}
function copies({ paths }, run) {
	const [, ...others] = paths.slice(0, 20);
	if (others.length === 0) return void 0;
	const hidden = paths.length - others.length - 1;
	return html`<p class="soft copies">The same bytes are in ${joinHtml(others.map((path) => pathLink$1(run, path)), ", ")}${hidden > 0 && ` and ${count$1(hidden)} more`}</p>`;
}
function versionLine(asset, run) {
	const changes = describeChanges(asset);
	if (changes === "") return void 0;
	const url = comparisonUrl(run, asset.paths[0] ?? "");
	return html`<p class="versions">Since the version before: <b>${changes}</b>${url && html` · ${main_link(url, "Compare on GitHub")}`}</p>`;
}
function notJudged({ asset, causes }) {
	if (asset.outcome === "judged") return asset.issues.length === 0 && html`<p class="soft">No issue in this version.</p>`;
	const why = causes.map(({ message, fix }) => html` ${prose(truncate(message, 1e3))} ${prose(truncate(fix, 600))}`);
	return html`<p class="unjudged"><b>${asset.outcome === "failed" ? "The analysis failed." : "Not judged."}</b> Nothing is known about this file.${why}</p>`;
}
function shownFixed({ fixed = [] }) {
	return fixed.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity)).slice(0, MAX_FIXED);
}
function fixedList(asset, newFixedId) {
	const fixed = shownFixed(asset);
	if (fixed.length === 0) return void 0;
	const hidden = (asset.fixed ?? []).length - fixed.length;
	return html`<div class="gone">${fixed.map((issue) => fixedBlock(issue, newFixedId(issue)))}${hidden > 0 && html`<p class="soft">and ${plural(hidden, "more fixed issue")} in report.json</p>`}</div>`;
}
// src/report/page/finder.ts
const MAX_SHORT_LIST = 12;
function finder({ facets, index, issueCount, uncounted }) {
	if (index.length === 0) return html``;
	const hasIssues = facets.length > 0;
	return html`<nav class="finder" aria-label="Find issues and files">${hasIssues && BRIEF}<details class="fold" open><summary>Find and filter</summary>
${hasIssues && searchBox(issueCount, uncounted)}
<form id="filters">${facets.map(facetGroup)}</form>
${fileIndex(index)}
${hasIssues && html`<p class="needs-script to-issues"><button type="button" id="show">Show ${plural(issueCount, "issue")}</button></p>`}</details></nav>
`;
}
const BRIEF = html`<p class="brief needs-script" hidden><span id="brief"></span> · <button type="button" class="clear">Clear</button></p>`;
function searchBox(issueCount, uncounted) {
	const note = uncounted > 0 && `, incl. ${count$1(uncounted)} waived, known or closed`;
	return html`<div class="needs-script"><label class="search">Search <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="Path, rule, number, text" aria-keyshortcuts="/"></label>
<p id="found" role="status">${plural(issueCount, "issue")}${note}</p>
<p class="actions"><button type="button" class="clear" disabled>Clear all</button><button type="button" id="keys" aria-haspopup="dialog">Keys</button></p></div>`;
}
function facetGroup({ name, label, values, hidden }) {
	const isLong = values.length > MAX_SHORT_LIST;
	const rows = values.map(({ value, label: text, title, count: number }) => html`<label><input type="checkbox" name="${name}" value="${value}"><span${name === "severity" && html` class="${value}"`}>${text}</span><b>${count$1(number)}</b>${title && html`<small>${title}</small>`}</label>`);
	return html`<fieldset${isLong && html` class="long"`}><legend>${label}</legend><div class="values"${isLong && html` tabindex="0" role="group" aria-label="${label}"`}>${rows}</div>${hidden > 0 && html`<p class="soft">and ${count$1(hidden)} more: use the search</p>`}</fieldset>
`;
}
function fileIndex(index) {
	return html`<h2 id="index">Files, worst first (✕ stops the check)</h2><ul class="index" aria-labelledby="index">${index.map(fileEntry)}</ul>`;
}
function fileEntry({ id, path, issues, isUnjudged, hasFailing }) {
	const cut = path.lastIndexOf("/") + 1;
	return html`<li><a href="#${id}">${html`<span>${path.slice(0, cut)}<wbr>${path.slice(cut)}</span>`}<b${hasFailing && html` class="stop"`}>${isUnjudged && issues === 0 ? "?" : count$1(issues)}</b></a></li>`;
}
// src/report/page/generated.ts
const EARLY_SCRIPT = "(function(){if(document.documentElement.classList.add(`has-scripts`),innerWidth<760)for(let e of document.querySelectorAll(`details.fold`))e.removeAttribute(`open`)})();";
const SCRIPT = "(function(){function e(e,t){return e.filter(e=>t.some(t=>t.startsWith(e)))}let t=/<section class=\"file[^\"]*\" id=\"([^\"]*)\"/,n=/<article class=\"issue[^\"]*\" id=\"([^\"]*)\"([^>]*)>(.*?)<\\/article>/gs,r=/ data-([a-z]+)=\"([^\"]*)\"/g,i=/<p class=\"tags\">.*?<\\/p>/s;function a(a,s){return a.split(`<section `).flatMap(a=>{let[,l]=t.exec(`<section ${a.slice(0,200)}`)??[],u=a.indexOf(`<article`);if(l===void 0||u===-1)return[];let d=[...a.slice(0,u).matchAll(/<code>(.*?)<\\/code>/gs)].map(([,e=``])=>o(e)),f=e(s,d),p=`${d.join(` `)} `;return[...a.slice(u).matchAll(n)].map(([,e=``,t=``,n=``])=>({...Object.fromEntries([...t.matchAll(r)].map(([,e,t=``])=>[e,[c(t)]])),folder:f,id:e,file:l,text:(p+o(n.replace(i,``))).toLowerCase()}))})}function o(e){return c(e.replace(/<[^>]*>/g,` `))}let s={lt:`<`,gt:`>`,quot:`\"`,\"#39\":`'`,nbsp:`\\xA0`,amp:`&`};function c(e){return e.includes(`&`)?e.replace(/&(lt|gt|quot|#39|nbsp|amp);/g,(e,t)=>s[t]??e):e}let l=[...document.querySelectorAll(`.group`)],u;function d(e){let t=e.querySelector(`noscript`);t&&(y(e),t.outerHTML=t.textContent,u&&m(e))}function f(){for(let e of l)d(e)}function p(e){u=e;for(let t of l){let n=e&&y(t).filter(({id:t})=>e.issues.has(t)).length;t.hidden=n===0,t.style.containIntrinsicSize=n===void 0?``:`none ${n*200}px`,t.hidden||m(t)}}function m(e){for(let t of h(e))t.hidden=u!==void 0&&!u.files.has(t.id);for(let t of e.querySelectorAll(`.issue`))t.hidden=u!==void 0&&!u.issues.has(t.id)}function h(e){return[...e.querySelectorAll(`section.file`)]}function ee(){let e=new IntersectionObserver(t=>{for(let{isIntersecting:n,target:r}of t)if(n&&r instanceof HTMLElement){e.unobserve(r),d(r);for(let e of r.querySelectorAll(`[preload=none]`))e.preload=`metadata`}},{rootMargin:`600px`});for(let t of l)e.observe(t);setTimeout(()=>g(y,()=>g(d)),1500)}function g(e,t){let n=`requestIdleCallback`in window?requestIdleCallback:e=>setTimeout(e,50),r=0,i=a=>{let o=!0;for(;o&&r<l.length;r+=1){let t=l[r];t&&e(t),o=a!==void 0&&a.timeRemaining()>5}r<l.length?n(i):t?.()};n(i)}function _(e){let t=document.getElementById(e);if(t)return t;let n=l.find(t=>t.querySelector(`noscript`)?.textContent.includes(` id=\"${e}\"`));return n&&d(n),document.getElementById(e)}let te=[...document.querySelectorAll(`#filters input[name=folder]`)].map(({value:e})=>e),v=/* @__PURE__ */ new Map;function y(e){let t=v.get(e);if(t)return t;let n=a(e.querySelector(`noscript`)?.textContent??e.innerHTML,te);return v.set(e,n),n}function b(){return l.flatMap(y)}let x=[`severity`,`folder`,`rule`,`gate`,`change`,`base`,`status`];function S(e){return{severity:e(`severity`),folder:e(`folder`),rule:e(`rule`),gate:e(`gate`),change:e(`change`),base:e(`base`),status:e(`status`)}}let C={query:``,chosen:S(()=>/* @__PURE__ */ new Set)};function ne(e){let t=e.replace(/^#/,``);if(t!==``&&!t.includes(`=`))return;let n=new URLSearchParams(t);return{query:n.get(`q`)??``,chosen:S(e=>new Set(n.getAll(e).flatMap(ae)))}}function re(e){return new URLSearchParams(e.replace(/^#/,``)).get(`at`)??void 0}function w({query:e,chosen:t}){let n=new URLSearchParams;e.trim()!==``&&n.set(`q`,e);for(let e of x)t[e].size>0&&n.set(e,[...t[e]].map(ie).join(`,`));return n.toString()}function ie(e){return e.replace(/[\\\\,]/g,`\\\\$&`)}function ae(e){return[...e.matchAll(/(?:\\\\.|[^\\\\,])+/gsu)].map(([e])=>e.replace(/\\\\(.)/gsu,`$1`))}function T({query:e,chosen:t}){return e.trim()!==``||x.some(e=>t[e].size>0)}function E(e,{query:t,chosen:n}){let r=t.toLowerCase().split(/\\s+/).filter(Boolean).map(oe),i=S(()=>/* @__PURE__ */ new Map),a=(e,t)=>{for(let n of t[e]??[])i[e].set(n,(i[e].get(n)??0)+1)};return{isMatch:e.map(e=>{if(!r.every(t=>t(e.text)))return!1;let t=x.filter(t=>!se(t,n[t],e));if(t.length===0)for(let t of x)a(t,e);if(t.length===1)for(let n of t)a(n,e);return t.length===0}),counts:i}}function oe(e){if(!/^#\\d+$/.test(e))return t=>t.includes(e);let t=RegExp(`${e}(?!\\\\d)`);return e=>t.test(e)}function se(e,t,{[e]:n=[]}){return e===`change`&&n[0]===`fixed`?t.has(`fixed`):t.size===0||n.some(e=>t.has(e))}let D=new Intl.NumberFormat(`en`),O=(e,t)=>`${D.format(e)} ${t}${e===1?``:`s`}`,k=document.querySelector(`#filters`),A=document.querySelector(`#search`),j=S(e=>[...k?.querySelectorAll(`input[name=${e}]`)??[]]),M=new Map([...document.querySelectorAll(`.index a`)].map(e=>[e.hash.slice(1),e])),ce=new Map([...M].map(([e,t])=>[e,q(t).textContent])),N=document.querySelectorAll(`button.clear`),le=document.getElementById(`found`)?.textContent??``,P=!0;function ue(){if(!k||!A){V();return}k.addEventListener(`change`,()=>I(F(),`push`)),k.addEventListener(`submit`,e=>e.preventDefault());let e=0;A.addEventListener(`input`,()=>{clearTimeout(e),e=setTimeout(()=>I(F(),`replace`),60)});for(let e of N)e.addEventListener(`click`,de);document.addEventListener(`click`,fe),document.getElementById(`show`)?.addEventListener(`click`,pe),addEventListener(`hashchange`,B),B()}function de(){H(C),I(C,`push`),A?.focus()}function F(){let e=S(e=>new Set(j[e].filter(e=>e.checked).map(e=>e.value)));return{query:A?.value??``,chosen:e}}function I(e,t){let n=w(e),r=`${location.pathname}${location.search}${n===``?``:`#${n}`}`;t===`push`?history.pushState(void 0,``,r):history.replaceState(void 0,``,r),U(e),me()}function fe(e){if(e.ctrlKey||e.metaKey||e.shiftKey||!(e.target instanceof Element))return;let t=e.target.closest(`.verdict a[href^=\"#\"], #also a, .index a`);if(!t)return;e.preventDefault();let n=w(F()),r=t.matches(`.index a`),i=r&&n!==``;history.pushState(void 0,``,i?`#${n}&at=${t.hash.slice(1)}`:t.hash),R(),B(),r||L(z())}function pe(){R(),L(z())}function L(e,t=10){e?.scrollIntoView(),t>0&&requestAnimationFrame(()=>L(e,t-1))}function R(){let e=k?.closest(`details`);e?.querySelector(`summary`)?.checkVisibility()&&(e.open=!1)}function me(){let e=z();e&&e.getBoundingClientRect().top<0&&e.scrollIntoView()}function z(){let e=l.find(({hidden:e})=>!e);return e&&(h(e).find(({hidden:e})=>!e)??e)}function B(){let e=ne(location.hash);if(e){H(e),U(e);let t=re(location.hash);t!==void 0&&L(_(t))}else V()}function V(){let e=decodeURIComponent(location.hash.slice(1)),t=e===``?null:_(e)??_(e.replace(/^issue-/,`fixed-`));t&&(history.scrollRestoration=`manual`,(t.hidden||t.closest(`[hidden]`))&&(H(C),U(C)),L(t),t.matches(`.issue`)&&t.focus({preventScroll:!0}))}function H({query:e,chosen:t}){A&&(A.value=e);for(let e of x)for(let n of j[e])n.checked=t[e].has(n.value)}function U(e){let t=!T(e);if(t&&P)return;P=t;let n=b(),{isMatch:r,counts:i}=he(n,e),a=n.filter((e,t)=>r[t]),o=/* @__PURE__ */ new Map;for(let{file:e}of a)o.set(e,(o.get(e)??0)+1);p(t?void 0:{issues:new Set(a.map(({id:e})=>e)),files:new Set(o.keys())}),ge(o,t),_e(i),ve(e,{shown:a,files:o.size,alsoFixed:i.change.get(`fixed`)??0})}function he(e,t){let n=E(e,t),{query:r,chosen:i}=t;return i.change.size>0||n.isMatch.includes(!0)||!n.counts.change.has(`fixed`)?n:{...n,isMatch:E(e,{query:r,chosen:{...i,change:/* @__PURE__ */ new Set([`fixed`])}}).isMatch}}function ge(e,t){for(let[n,r]of M){let i=e.get(n)??0;r.hidden=!t&&i===0,r.hidden||(q(r).textContent=t?ce.get(n)??``:D.format(i))}for(let e of document.querySelectorAll(`main > .clean`))e.hidden=!t}function _e(e){for(let t of x)for(let n of j[t]){let r=e[t].get(n.value)??0,i=n.closest(`label`),a=i?.querySelector(`b`);a&&(a.textContent=D.format(r)),i?.classList.toggle(`none`,r===0&&!n.checked)}}let W=({change:e})=>e?.[0]===`fixed`;function ve(e,{shown:t,files:n,alsoFixed:r}){let i=!T(e),a=b().filter(e=>!W(e)).length,o=t.filter(W).length,s=[...o===0||t.length>o?[`${D.format(t.length-o)} of ${O(a,`issue`)}`]:[],...o>0?[O(o,`fixed issue`)]:[]].join(` and `);ye(e,i||o>0?0:r);let c=`${s} in ${O(n,`file`)}`;G(`found`,i?le:c),G(`brief`,s),G(`show`,`Show ${O(t.length,t.length===o?`fixed issue`:`issue`)}`),G(`wanted`,K(e));for(let e of N)e.disabled=i;for(let e of document.querySelectorAll(`.brief`))e.hidden=i;be(`nothing`,t.length>0||i),G(`partial`,i?``:`PART OF THE REPORT: ${c}. Filter: ${K(e)}. The numbers below are of the whole report.`),document.body.classList.toggle(`is-partial`,!i)}function ye(e,t){if(G(`also`,t===0?``:`${O(t,`fixed issue`)} also ${t===1?`matches`:`match`}: `),t===0)return;let n=document.createElement(`a`);n.href=`#${w({...e,chosen:{...e.chosen,change:/* @__PURE__ */ new Set([`fixed`])}})}`,n.textContent=`show`,document.getElementById(`also`)?.append(n)}function G(e,t){let n=document.getElementById(e);n&&(n.textContent=t)}function be(e,t){let n=document.getElementById(e);n&&(n.hidden=t)}function K({query:e,chosen:t}){let n=x.filter(e=>t[e].size>0).map(e=>{let n=j[e][0]?.closest(`fieldset`)?.querySelector(`legend`)?.textContent??e,r=t=>j[e].find(e=>e.value===t)?.closest(`label`)?.querySelector(`span`)?.textContent??t;return`${n}: ${[...t[e]].map(r).join(` or `)}`});return[...e.trim()===``?[]:[`Search: “${e.trim()}”`],...n].join(`; `)}function q(e){return e.lastElementChild??e}function xe(){let e=document.querySelector(`#lightbox`),t=e?.querySelector(`.stage`);if(!e||!t)return;let n,r=1,i=e=>{n&&(r=Math.min(16,Math.max(.05,e)),n.style.width=`${J(n)*r}px`)},a=()=>{if(!n)return;let e=J(n)*(n.naturalHeight/n.naturalWidth||1);i(Math.min(t.clientWidth/J(n),t.clientHeight/e))};document.addEventListener(`click`,r=>{let i=r.target instanceof Element?r.target.closest(`.zoom`)?.querySelector(`img`):void 0;i&&(n=new Image,n.src=i.src,n.alt=i.alt,t.replaceChildren(n),e.showModal(),a())}),e.addEventListener(`close`,()=>t.replaceChildren()),document.getElementById(`larger`)?.addEventListener(`click`,()=>i(r*1.5)),document.getElementById(`smaller`)?.addEventListener(`click`,()=>i(r/1.5)),document.getElementById(`fit`)?.addEventListener(`click`,a),t.addEventListener(`wheel`,e=>{e.ctrlKey&&(e.preventDefault(),i(r*(e.deltaY<0?1.15:1/1.15)))}),e.addEventListener(`keydown`,({key:e})=>{(e===`+`||e===`=`)&&i(r*1.5),e===`-`&&i(r/1.5),e===`0`&&a()})}function J(e){return e.naturalWidth||800}function Se(){document.addEventListener(`click`,e=>{let t=e.target instanceof Element?e.target:void 0,n=t?.closest(`a.time`);n&&Ee(n,e);let r=t?.closest(`a.copy`);r&&(e.preventDefault(),Oe(r.hash.slice(1)))}),document.addEventListener(`keydown`,e=>{e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`)||(e.target instanceof HTMLInputElement&&e.target.type===`search`?e.key===`Escape`&&e.target.blur():Y(e.key)&&e.preventDefault())}),document.getElementById(`keys`)?.addEventListener(`click`,()=>Y(`?`))}function Y(e){let t=document.querySelector(`#search`);switch(e){case`j`:return Ce(1);case`k`:return Ce(-1);case`c`:{let e=X()?.id;return e!==void 0&&Oe(e),e!==void 0}case`/`:return t?.closest(`details`)?.setAttribute(`open`,``),t?.focus(),t?.select(),t!==null;case`?`:return document.querySelector(`#help`)?.showModal(),!0;default:return!1}}function X(){return document.activeElement?.closest(`.issue`)??void 0}function Z(e){return e?(d(e),[...e.querySelectorAll(`.issue`)].filter(e=>!e.closest(`[hidden]`))):[]}function Ce(e){let t=l.filter(({hidden:e})=>!e),n=X(),r=n?.closest(`.group`)??t.find(Q)??t[0],i=Z(r),a=n?i[i.indexOf(n)+e]:we(r,i);if(a)return Te(a);for(let n=r?t.indexOf(r)+e:0;n>=0&&n<t.length;n+=e){let r=Z(t[n]).at(e===1?0:-1);if(r)return Te(r)}return!0}function we(e,t){let n=e&&h(e).find(e=>!e.hidden&&Q(e));return t.find(e=>!n||n.contains(e))}function Q(e){return e.getBoundingClientRect().bottom>80}function Te(e){return e.focus({preventScroll:!0}),e.scrollIntoView({block:`start`}),!0}function Ee(e,t){let n=document.getElementById(e.hash.slice(1))?.querySelector(`video, audio`);n&&(t.preventDefault(),n.currentTime=Number(e.dataset.seconds),n.scrollIntoView({block:`nearest`}))}function De(e){let t=new URL(`#${e}`,location.href).href;if(location.protocol!==`file:`)return{address:t,kind:`The link`,note:``};let n=document.getElementById(e)?.querySelector(`.ref a`)?.href;return n===void 0?{address:t,kind:`The link`,note:` It opens only if this file is in the same place.`}:{address:n,kind:`The service's link`,note:``}}async function Oe(e){let{address:t,kind:n,note:r}=De(e),i=await navigator.clipboard?.writeText(t).then(()=>!0,()=>ke(t))??ke(t);i||(location.hash=e);let a=document.getElementById(`copied`);a&&(a.textContent=i?`${n} to this issue is copied.${r}`:`The link to this issue is in the address bar.`,setTimeout(()=>{a.textContent=``},3e3))}function ke(e){let t=document.activeElement,n=document.createElement(`textarea`);n.value=e,document.body.append(n),n.select();let r=document.execCommand(`copy`);return n.remove(),t instanceof HTMLElement&&t.focus({preventScroll:!0}),r}ue(),Se(),xe(),ee();let $=[];addEventListener(`beforeprint`,()=>{f(),$=[...document.querySelectorAll(`details:not([open])`)];for(let e of $)e.open=!0}),addEventListener(`afterprint`,()=>{for(let e of $)e.open=!1})})();";
const STYLE = ":root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2330; --soft: #545d6b; --line: #d5dae1; --link: #0a58b8; --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; --critical-fill: #d1242f; --major-fill: #e0701a; --minor-fill: #d9ad18; --info-fill: #3b82d6; } @media (prefers-color-scheme: dark) { :root { --page: #0f1319; --card: #181d25; --ink: #e8ebf0; --soft: #a5afbd; --line: #343c48; --link: #7db4ff; --critical: #ff8a8f; --major: #ffab66; --minor: #ecc94b; --info: #86b9ff; --good: #6cd694; --bad: #ff8a8f; } } * { box-sizing: border-box; } [hidden] { display: none !important; } html { scroll-padding-top: 4.5rem; } body { margin: 0; background: var(--page); color: var(--ink); font: 16px / 1.5 system-ui, -apple-system, \"Segoe UI\", Roboto, \"Liberation Sans\", sans-serif; overflow-wrap: anywhere; } a { color: var(--link); } code, kbd { font: 0.875em ui-monospace, \"SF Mono\", Consolas, \"Liberation Mono\", monospace; } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; } h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset { margin: 0; } ul, ol { padding-left: 1.4em; } h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.05rem; } h3 { font-size: 1rem; line-height: 1.35; } h4 { font-size: 0.9rem; color: var(--soft); } b { font-weight: 600; } #keys { white-space: nowrap; } button { font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--soft); border-radius: 6px; padding: 0.25rem 0.6rem; min-height: 32px; cursor: pointer; } .soft { color: var(--soft); font-size: 0.875rem; } .skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: 0.5rem 1rem; z-index: 9; } .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; } html:not(.has-scripts) :is(.needs-script, .finder input, .copy) { display: none; } .verdict { background: var(--card); border-bottom: 1px solid var(--line); border-left: 8px solid var(--soft); padding: 1rem 1.25rem; display: grid; gap: 0.75rem 2.5rem; } .verdict.good { border-left-color: var(--good); } .verdict.bad { border-left-color: var(--bad); } .verdict.warn { border-left-color: var(--major); } .said { display: grid; gap: 0.4rem; align-content: start; } .context { font-size: 0.95rem; } .numbers { display: flex; flex-wrap: wrap; gap: 0.3rem 1.75rem; } .numbers dt { color: var(--soft); font-size: 0.8rem; } .numbers dd { font-weight: 600; } .chart { display: grid; gap: 0.1rem; align-content: start; } .chart h2 { font-size: 0.875rem; color: var(--soft); } .bar { display: grid; grid-template-columns: 4.5rem 1fr 3.5rem; gap: 0.6rem; align-items: center; min-height: 26px; color: inherit; text-decoration: none; border-radius: 4px; } a.bar:hover { background: var(--page); } a.bar .name { text-decoration: underline; } .bar svg { width: 100%; height: 12px; display: block; } .bar b { text-align: right; } .steps { margin: 1rem 1.25rem 0; } .fold > summary > h2 { display: inline; } .fold > ol { margin-top: 0.4rem; } summary { cursor: pointer; } .fill-CRITICAL { fill: var(--critical-fill); } .fill-MAJOR { fill: var(--major-fill); } .fill-MINOR { fill: var(--minor-fill); } .fill-INFO { fill: var(--info-fill); } .CRITICAL :is(.badge), span.CRITICAL { color: var(--critical); } .MAJOR :is(.badge), span.MAJOR { color: var(--major); } .MINOR :is(.badge), span.MINOR { color: var(--minor); } .INFO :is(.badge), span.INFO { color: var(--info); } .columns { display: grid; gap: 1rem; padding: 1rem 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: start; } main { min-width: 0; } main:focus { outline: none; } .finder { font-size: 0.9rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem 0.8rem; } .finder > details > summary { font-weight: 600; } .finder .needs-script { display: grid; gap: 0.4rem; margin-top: 0.4rem; } .search { display: grid; gap: 0.15rem; color: var(--soft); } input[type=\"search\"] { font: inherit; width: 100%; color: var(--ink); background: var(--page); border: 1px solid var(--soft); border-radius: 6px; padding: 0.25rem 0.5rem; min-height: 34px; } #also:empty { display: none; } .actions { display: flex; gap: 0.5rem; } .actions > .clear { flex: 1; } button:disabled { color: var(--soft); border-color: var(--line); cursor: default; } #found { font-weight: 600; min-height: 3em; } fieldset { border: 0; padding: 0; min-width: 0; } legend, .finder h2 { font-size: 0.8rem; font-weight: 600; color: var(--soft); padding: 0.6rem 0 0; } .finder label:not(.search), .index a { display: flex; gap: 0.4rem; align-items: baseline; min-height: 26px; padding: 0.1rem 0.25rem; border-radius: 4px; } .finder label:not(.search) { cursor: pointer; } .finder label:not(.search):hover, .index a:hover { background: var(--page); } .finder label:not(.search) { flex-wrap: wrap; } .finder small { width: 100%; padding-left: 1.3rem; color: var(--soft); line-height: 1.3; } .index b.stop::after { content: \" ✕\"; } .is-partial .whole::after { content: \" in the whole file\"; } .finder label > span, .index span { flex: 1; min-width: 0; } .finder label.none { color: var(--soft); } .finder input { margin: 0; align-self: center; } .finder b { font-variant-numeric: tabular-nums; } .long .values { max-height: 19rem; overflow: auto; } .index { list-style: none; padding: 0; } .index a { text-decoration: none; line-height: 1.3; } .index a:hover span { text-decoration: underline; } .index b.stop { color: var(--bad); } .index b:not(.stop) { color: var(--soft); } .group { content-visibility: auto; contain-intrinsic-size: auto none auto 240rem; } .group > *, main > :not(.group) { margin-bottom: 1rem; } .file { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0 1rem 1rem; display: grid; gap: 0.4rem; align-content: start; grid-template-columns: minmax(0, 1fr); scroll-margin-top: 0; } .head { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; position: sticky; top: 0; z-index: 2; background: var(--card); padding: 0.6rem 0 0.4rem; border-bottom: 1px solid var(--line); } .head code { font-size: 1rem; } .tag { font-size: 0.8rem; border-radius: 5px; padding: 0.05em 0.45em; border: 1px solid var(--line); color: var(--soft); display: inline-block; } .tag.stop { color: var(--bad); border-color: currentColor; font-weight: 600; } .tag.good { color: var(--good); border-color: currentColor; } .beside { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); } .issues { display: grid; gap: 1rem; align-content: start; grid-template-columns: minmax(0, 1fr); } .elsewhere { font-size: 0.9rem; } figure { align-self: start; } figure img, figure video { max-width: 100%; max-height: calc(100vh - 8rem); border-radius: 6px; border: 1px solid var(--line); background: var(--page); display: block; } figure video { width: 100%; } figure audio { width: 100%; display: block; } figcaption { font-size: 0.85rem; padding-top: 0.25rem; } .zoom { padding: 0; border: 0; background: none; min-height: 0; cursor: zoom-in; display: block; max-width: 100%; } .issue { position: relative; display: grid; gap: 0.3rem; grid-template-columns: minmax(0, 1fr); padding: 0.1rem 0 0.1rem 0.8rem; border-left: 4px solid var(--line); scroll-margin-top: 4.5rem; max-width: 52rem; } .issue.CRITICAL { border-left-color: var(--critical-fill); } .issue.MAJOR { border-left-color: var(--major-fill); } .issue.MINOR { border-left-color: var(--minor-fill); } .issue.INFO { border-left-color: var(--info-fill); } .issue:target, .issue:focus { background: var(--page); outline: 2px solid var(--link); outline-offset: 4px; } .issue h3 { padding-right: 4rem; } .badge { font-size: 0.75rem; font-weight: 700; border: 1.5px solid currentColor; border-radius: 5px; padding: 0 0.35em; white-space: nowrap; } .fixed .badge { color: var(--soft); } .copy { position: absolute; top: 0; right: 0; font-size: 0.8rem; min-height: 24px; } .copy::after { content: \"Copy link\"; } .tags { display: flex; flex-wrap: wrap; gap: 0.25rem; } .text { white-space: pre-line; max-width: 75ch; } .time { font-variant-numeric: tabular-nums; } .issue details > summary { color: var(--link); width: fit-content; min-height: 24px; font-size: 0.9rem; } .issue details > :not(summary) { margin-top: 0.3rem; } .gone { display: grid; gap: 0.75rem; } .unjudged { border-left: 4px solid var(--bad); padding-left: 0.8rem; } .paper, #partial, .finder .brief, .finder .to-issues { display: none; } table { border-collapse: collapse; width: 100%; font-size: 0.9rem; } th, td { text-align: left; padding: 0.35rem 0.6rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } .scroll { overflow-x: auto; } .clean summary h2 { display: inline; } footer { padding: 0 1.25rem 1.5rem; } dialog { color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; } dialog::backdrop { background: #000a; } dialog form { display: flex; gap: 0.4rem; justify-content: flex-end; margin-top: 0.75rem; } kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0.1em 0.45em; } #lightbox { width: 96vw; height: 96vh; max-width: none; max-height: none; padding: 0.5rem; } #lightbox[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); gap: 0.5rem; } #lightbox form { margin: 0; } .stage { overflow: auto; } .stage img { max-width: none; display: block; margin: auto; } #copied { position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%); background: var(--ink); color: var(--page); border-radius: 6px; padding: 0.4rem 0.8rem; z-index: 5; } #copied:empty { display: none; } @media screen and (min-width: 760px) { .verdict { grid-template-columns: minmax(0, 1fr) minmax(260px, 26rem); } .columns:not(.single) { grid-template-columns: minmax(230px, min(20%, 20rem)) minmax(0, 1fr); } .finder { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; } .finder > details > summary { display: none; } .finder > details::details-content { content-visibility: visible; display: block; } } @media screen and (min-width: 1080px) { .beside:is(.image, .film) { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); } .beside.sound { grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); } .beside > figure { position: sticky; top: 3.75rem; } } @media screen and (min-width: 1700px) { main > .card, .file { max-width: 100rem; } .beside:is(.image, .film) { grid-template-columns: minmax(0, 1fr) minmax(0, 44rem); } } @media screen and (max-width: 759px) { h1 { font-size: 1.15rem; } .verdict { padding: 0.6rem 0.8rem; gap: 0.5rem; } .numbers, .chart, .roomy { display: none; } .columns { display: block; padding: 0.6rem; } .finder { position: sticky; top: 0; z-index: 3; max-height: 100vh; overflow: auto; margin-bottom: 0.6rem; } .finder > details > summary { min-height: 28px; } .finder .to-issues { display: block; position: sticky; bottom: -0.6rem; background: var(--card); padding: 0.4rem 0; } .finder .brief { display: block; float: right; margin: 0; } .finder:has(details[open]) .brief { display: none; } #show { width: 100%; min-height: 44px; font-weight: 600; } .steps { margin: 0.6rem 0.6rem 0; } .card { padding: 0.5rem 0.8rem; } .file { padding: 0 0.8rem 0.8rem; scroll-margin-top: 3.5rem; } .head { position: static; } .beside:is(.image, .film) > figure { position: sticky; top: 3rem; z-index: 1; background: var(--card); } .beside:is(.image, .film) .issue { scroll-margin-top: calc(22vh + 5.5rem); } figure img, figure video { max-height: 22vh; } } @page { margin: 15mm; font: 8pt sans-serif; @bottom-right { content: counter(page) \" of \" counter(pages); } } @page partial { @top-center { content: \"PART OF THE REPORT: filtered\"; font-weight: bold; } } @media print { body.is-partial { page: partial; } .is-partial section.paper, #also { display: none; } body:not(.is-partial) > section.paper { display: block; margin: 1rem 0; } section.paper h2 { break-after: avoid; } tr { break-inside: avoid; } #partial:not(:empty) { display: block; border: 2px solid; padding: 8px; margin-bottom: 8px; font-weight: 600; } .is-partial .finder { display: none; } :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; } html { font-size: 10pt; } body { font-size: 1rem; line-height: 1.35; } .ref a::after, .versions a::after, .elsewhere a::after, .issue li a::after { content: \" <\" attr(href) \">\"; } .skip, .copy, video, audio, dialog, #nothing, figcaption, #copied, .to-issues { display: none !important; } .finder { border: 0; padding: 0; } .finder > details > summary, .finder .needs-script, .finder input { display: none; } #filters, .index { columns: 3; } fieldset, .index li { break-inside: avoid; } .long .values { max-height: none; } .finder label:not(.search), .index a { min-height: 0; } .verdict { display: block; padding: 0 0 0 0.8rem; border-bottom: 0; } .chart { max-width: 22rem; margin-top: 0.5rem; } .columns { display: block; padding: 0; } main { display: block; } .steps, .card { margin: 1rem 0; padding: 0; border: 0; } .group { content-visibility: visible; } .file { display: block; border: 0; padding: 0; break-before: page; } .file.bare, .is-partial .file { break-before: auto; margin-bottom: 1rem; } .file.bare { break-inside: avoid; } .head { position: static; } .head, .facts-line, .copies, .versions, .elsewhere, figure { break-after: avoid; break-inside: avoid; } .beside, .issues, .gone { display: block; } .issue { margin-bottom: 0.6rem; } .beside > figure { position: static; margin-bottom: 1rem; } figure img { max-height: 6cm; } .issue { display: block; break-inside: avoid; outline: none; background: none; } .why > * { display: inline; } .why > h4::after { content: \": \"; } .tag { border: 0; padding: 0 0.6em 0 0; } .paper { display: inline; } p.paper { display: block; } h3 { font-size: 11pt; } details::details-content { content-visibility: visible; display: block; } summary { list-style: none; } .fill-CRITICAL, .fill-MAJOR, .fill-MINOR, .fill-INFO, .issue, .verdict { print-color-adjust: exact; } footer { padding: 1rem 0 0; break-before: avoid; } }";
// src/report/page/head.ts
const MAX_STEPS$1 = 20;
const MAX_CAUSES = 1e3;
const sentence = (text) => prose(truncate(text, 2e3));
function pageHead(report) {
	const memory = report.lastKnown && html`<p>${sentence(report.lastKnown.message)}</p>`;
	return html`<header class="verdict ${tone(report)}">
<div class="said"><h1><span aria-hidden="true">${verdictMark(report)}</span> ${sentence(title(report))}</h1>
<p class="context">${joinHtml(context(report), html` <span aria-hidden="true">·</span> `)}</p>
<p>${prose(consequence(report))} ${threshold(report)}${notCounted$1(report)}</p>${memory}
${numbers(report)}${addresses(report.run)}</div>
${chart(report)}
</header>
`;
}
function notCounted$1({ policy: { failOnSeverity, failOnIssues, ignoreStatuses } }) {
	if (failOnSeverity === "never") return void 0;
	const statuses = truncate(ignoreStatuses.join(" or "), 300);
	const kinds = [
		"waived",
		...failOnIssues === "new" ? ["known on the base branch"] : [],
		...statuses === "" ? [] : [`closed at the service (status ${statuses})`]
	];
	return html`<span class="roomy"> Issues that are ${[kinds.slice(0, -1).join(", "), kinds.at(-1)].filter(Boolean).join(" or ")} do not count.</span>`;
}
function tone(report) {
	if (report.verdict === "skipped") return "none";
	if (report.verdict === "pass") return report.mode === "sandbox" || report.lastKnown ? "warn" : "good";
	return report.isPassing ? "warn" : "bad";
}
function context({ run, gate, judgedAt }) {
	const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, "$1 $2 UTC");
	const branch = truncate(run.branch ?? run.ref, 200);
	const place = run.pullRequest ? main_link(pullRequestUrl(run), `Pull request #${run.pullRequest.number}`) : branch !== "" && main_link(branchUrl(run), branch.replace(/^refs\/(?:heads|tags)\//, ""));
	return [
		html`<b>${truncate(gate, 100)}</b>`,
		run.repository && main_link(repositoryUrl(run), truncate(run.repository, 200)),
		place,
		run.commit && html`commit ${main_link(commitUrl(run), html`<code>${run.commit.slice(0, 7)}</code>`)}`,
		run.url ? main_link(run.url, `run of ${when}`) : html`${when}`
	].filter((part) => part instanceof Object);
}
function addresses(run) {
	return html`<p class="paper">${[
		["Pull request", pullRequestUrl(run)],
		["Commit", commitUrl(run)],
		["Run", run.url]
	].map(([name, url]) => url && html`${name}: ${truncate(url, 300)}<br>`)}</p>`;
}
function numbers(report) {
	const { counts } = report;
	const fixed = report.assets.reduce((sum, asset) => sum + (asset.fixed ?? []).length, 0);
	const shown = (hasJudged(report) ? [
		[
			"Active issues",
			counts.issues,
			"#gate=stops,counted"
		],
		[
			"Stop the check",
			counts.failing,
			"#gate=stops"
		],
		[
			"Known",
			counts.known,
			"#gate=known"
		],
		[
			"Waived",
			counts.waived,
			"#gate=waived"
		],
		[
			"Closed at the service",
			counts.ignored,
			"#gate=closed"
		],
		[
			"Fixed",
			fixed,
			"#change=fixed"
		]
	] : []).filter(([, number], index) => index === 0 || number > 0).map(([name, number, filter]) => {
		return html`<div><dt>${name}</dt><dd>${number === 0 ? html`0` : html`<a href="${filter}">${count$1(number)}</a>`}</dd></div>`;
	});
	if (report.assets.length === 0) return void 0;
	return html`<dl class="numbers"><div><dt>Files</dt><dd>${count$1(counts.filesMatched)}</dd></div>${shown}<div><dt>Cost</dt><dd>${cost(report)}</dd></div></dl>`;
}
function chart(report) {
	const { counts } = report;
	if (!hasJudged(report) || counts.issues === 0) return void 0;
	const max = Math.max(1, ...SEVERITIES.map((severity) => counts.bySeverity[severity]));
	return html`<section class="chart" aria-labelledby="bars"><h2 id="bars">Active issues by severity</h2>${SEVERITIES.map((severity) => {
		const number = counts.bySeverity[severity];
		const width = number > 0 ? Math.max(1, Math.round(number / max * 1e3) / 10) : 0;
		const bar = html`<span class="name ${severity}">${SEVERITY_NAMES[severity]}</span><svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 14"><rect class="fill-${severity}" width="${width}" height="14"/></svg><b>${count$1(number)}</b>`;
		return number === 0 ? html`<div class="bar">${bar}</div>` : html`<a class="bar" href="#severity=${severity}&amp;gate=stops,counted">${bar}</a>`;
	})}</section>`;
}
function nextSteps$1(report) {
	const steps = report.nextSteps.slice(0, MAX_STEPS$1).map((step) => html`<li>${sentence(step)}</li>`);
	const hidden = report.nextSteps.length - steps.length;
	const { reason, docs } = report;
	const guide = reason !== "" && docs !== void 0 ? html`<p class="soft">More about <code>${reason}</code>: ${main_link(`${docs}/troubleshooting.md#${reason}`, "troubleshooting")}.</p>` : void 0;
	if (steps.length === 0 && !guide) return html``;
	return html`<section class="steps" aria-labelledby="steps"><details class="card fold" open><summary><h2 id="steps">What to do now</h2></summary><ol>${steps}</ol>${hidden > 0 && html`<p>and ${plural(hidden, "more step")}</p>`}${guide}</details></section>
`;
}
function fileList(run, paths) {
	const links = paths.slice(0, MAX_CAUSES).map((path) => html`${pathLink$1(run, path)}`);
	const hidden = paths.length - links.length;
	return html`${paths.length > 1 && `${plural(paths.length, "file")}: `}${joinHtml(links, html`, `)}${hidden > 0 && ` and ${count$1(hidden)} more`}`;
}
function causeTable$1(report) {
	const all = tabledCauses(report);
	if (all.length === 0) return html``;
	const hasFiles = all.some(({ paths }) => paths.length > 0);
	const rows = all.slice(0, MAX_CAUSES).map(({ paths, message, fix }) => {
		const file = paths.length === 0 ? "–" : fileList(report.run, paths);
		return html`<tr>${hasFiles && html`<td>${file}</td>`}<td>${sentence(message)}</td><td>${sentence(fix)}</td></tr>`;
	});
	const hidden = all.length - rows.length;
	return html`<section class="card" aria-labelledby="causes"><h2 id="causes">${causesTitle(report)}</h2><div class="scroll" tabindex="0" role="group" aria-labelledby="causes"><table><thead><tr>${hasFiles && html`<th scope="col">File</th>`}<th scope="col">What happened</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table></div>${hidden > 0 && html`<p>${plural(hidden, "more problem")} in report.json</p>`}</section>
`;
}
// src/report/page/model.ts
const MAX_FILES = 5e3;
const MAX_ISSUES = 2e4;
const MAX_GROUP_ISSUES = 18;
const MAX_GROUP_FILES = 10;
const FIRST_GROUPS = 4;
function pageModel(report, media) {
	const notable = report.assets.filter((asset) => !isClean(asset));
	const budget = new Budget(175e5);
	const files = takeFiles(pageFiles(notable.slice(0, MAX_FILES), report, media), report.run, budget);
	const { blocks, listed, leftOut } = takeIssues(report, files, budget);
	return {
		groups: groupsOf(files, blocks).map((sections, index) => fileGroup(sections, index >= FIRST_GROUPS)),
		index: files.map(({ file: { asset, id } }) => indexedFile(asset, id, blocks.get(asset)?.length ?? 0)),
		facets: facetsOf(listed, files.reduce((sum, { file }) => sum + shownFixed(file.asset).length, 0)),
		issueCount: listed.length,
		uncounted: listed.filter(({ issue }) => issue.standing !== "active").length,
		clean: report.assets.filter(isClean),
		leftOut: {
			issues: leftOut,
			files: countFiles(notable.slice(files.length))
		}
	};
}
function groupsOf(files, blocks) {
	const groups = [];
	let issuesInLast = MAX_GROUP_ISSUES;
	for (const { file, frame } of files) {
		const issues = blocks.get(file.asset) ?? [];
		const last = groups.at(-1);
		const section = fileSection(file, frame, issues);
		if (last && last.length < MAX_GROUP_FILES && issuesInLast + issues.length <= MAX_GROUP_ISSUES) {
			last.push(section);
			issuesInLast += issues.length;
		} else {
			groups.push([section]);
			issuesInLast = issues.length;
		}
	}
	return groups;
}
function fileGroup(sections, isDeferred) {
	return html`<div class="group">${isDeferred ? html`<noscript>${sections}</noscript>` : sections}</div>
`;
}
function pageFiles(assets, { causes }, media) {
	const causesOf = Map.groupBy(causes, ({ path }) => path);
	return assets.map((asset, index) => ({
		asset,
		id: `file-${index + 1}`,
		media: media.get(asset.sha256),
		causes: asset.paths.flatMap((path) => causesOf.get(path) ?? [])
	}));
}
function takeFiles(files, run, budget) {
	const taken = [];
	const newFixedId = idMaker("fixed");
	for (const file of files) {
		const frame = fileFrame(file, run, newFixedId);
		if (!budget.take(frame.head.source + frame.before.source + frame.after.source)) break;
		taken.push({
			file,
			frame
		});
	}
	return taken;
}
function takeIssues(report, files, budget) {
	const { policy } = report;
	const all = worstFirst(report);
	const fileOf = new Map(files.map(({ file }) => [file.asset, file]));
	const blocks = new Map();
	const listed = [];
	const newId = idMaker("issue");
	for (const entry of all.slice(0, MAX_ISSUES)) {
		const file = fileOf.get(entry.asset);
		if (!file) continue;
		const block = issueBlock(entry, {
			id: newId(entry.issue),
			playable: playableId(file),
			policy
		});
		if (!budget.take(block.source)) break;
		const others = blocks.get(entry.asset);
		if (others) others.push(block);
		else blocks.set(entry.asset, [block]);
		listed.push(entry);
	}
	return {
		blocks,
		listed,
		leftOut: all.length - listed.length
	};
}
function idMaker(kind) {
	const used = new Map();
	return ({ referenceNumber }) => {
		const name = `${kind}-${referenceNumber ?? "unnumbered"}`;
		const times = (used.get(name) ?? 0) + 1;
		used.set(name, times);
		return times === 1 ? name : `${name}-${times}`;
	};
}
function indexedFile(asset, id, issues) {
	return {
		id,
		path: truncate(asset.paths[0] ?? "", 500),
		issues,
		isUnjudged: asset.outcome !== "judged",
		hasFailing: asset.issues.some(({ failsGate }) => failsGate)
	};
}
// src/report/page/paper.ts
const MAX_ROWS = 1e3;
const MAX_ISSUES_IN_ROW = 50;
function paperLists({ assets, counts }) {
	const stopRows = assets.flatMap((asset) => row(asset, asset.issues.filter(({ failsGate }) => failsGate)));
	const fixedRows = assets.flatMap((asset) => row(asset, asset.fixed ?? []));
	const fixed = assets.reduce((sum, asset) => sum + (asset.fixed ?? []).length, 0);
	return html`${list(stopping(counts.failing), stopRows)}${list(`${plural(fixed, "issue")} fixed since the version before`, fixedRows)}`;
}
function row({ paths }, issues) {
	if (issues.length === 0) return [];
	const names = issues.slice(0, MAX_ISSUES_IN_ROW).map(({ severity, ruleCode, referenceNumber }) => [
		severity,
		truncate(ruleCode, 200),
		...referenceNumber === void 0 ? [] : [`#${referenceNumber}`]
	].join(" "));
	const hidden = issues.length - names.length;
	return [html`<tr><td><code>${truncate(paths[0] ?? "", 300)}</code></td><td>${names.join(", ")}${hidden > 0 && ` and ${hidden} more`}</td></tr>`];
}
function list(title, rows) {
	if (rows.length === 0) return void 0;
	const hidden = rows.length - MAX_ROWS;
	return html`<section class="paper"><h2>${title}</h2><table><thead><tr><th scope="col">File</th><th scope="col">Issues</th></tr></thead><tbody>${rows.slice(0, MAX_ROWS)}</tbody></table>${hidden > 0 && html`<p>and ${plural(hidden, "more file")}</p>`}</section>
`;
}
// src/report/page/page.ts
const MAX_CLEAN_FILES = 3e3;
const MAX_CLEAN_PATHS = 20;
const MAX_NOTICES = 200;
const MAX_OPEN_NOTICES = 5;
const hash = (source) => `'sha256-${(0,external_node_crypto_.createHash)("sha256").update(source).digest("base64")}'`;
function script(source) {
	return trusted(`<script>${source}<\/script>`);
}
function policy(style) {
	return [
		`default-src 'none'`,
		`style-src ${hash(style)}`,
		`script-src ${hash(EARLY_SCRIPT)} ${hash(SCRIPT)}`,
		"img-src data:",
		"media-src data:",
		`base-uri 'none'`,
		`form-action 'none'`
	].join("; ");
}
function runningFoot({ run, judgedAt }) {
	return ` @page { @bottom-left { content: "${`${run.repository}, commit ${run.commit.slice(0, 12)}, checked ${judgedAt.slice(0, 16)}Z`.replaceAll(/[^\w ,.:/-]/g, "?").slice(0, 120)}" } }`;
}
function renderPage(report, media = new Map()) {
	const model = pageModel(report, media);
	const style = STYLE + runningFoot(report);
	return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy(style))}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${truncate(title(report), 300)}</title><style>${trusted(style)}</style></head><body>
<a class="skip" href="#files">Skip to the issues</a>
<p id="partial"></p>
${pageHead(report)}
${nextSteps$1(report)}
${notices$1(report.notices, model)}
${paperLists(report)}
<div class="columns${model.index.length === 0 && " single"}">
${finder(model)}
${script(EARLY_SCRIPT)}
<main id="files" tabindex="-1">
${causeTable$1(report)}
<p id="also"></p>
<div id="nothing" class="card" hidden><h2>No issue matches</h2><p id="wanted"></p><p><button type="button" class="clear">Clear search and filters</button></p></div>
${model.groups}
${cleanList(model.clean, report)}
</main></div>
${footer$1(report)}
${DIALOGS}
${script(SCRIPT)}</body></html>
`.source;
}
function cleanList(clean, { mode, run }) {
	if (clean.length === 0) return void 0;
	const rows = clean.slice(0, MAX_CLEAN_FILES).map((asset) => {
		const paths = asset.paths.slice(0, MAX_CLEAN_PATHS).map((path) => pathLink$1(run, path));
		const hidden = asset.paths.length - paths.length;
		return html`<tr><td>${joinHtml(paths, html`<br>`)}${hidden > 0 && html`<br>and ${plural(hidden, "more path")}`}</td><td>${describeFile(asset)}; ${truncate(provenance(asset), 300)}<span class="paper">; SHA-256 ${asset.sha256}</span></td></tr>`;
	});
	const hidden = countFiles(clean.slice(rows.length));
	return html`<section class="card clean" aria-labelledby="clean"><details><summary><h2 id="clean">${cleanFiles(mode, countFiles(clean))}</h2></summary><table><thead><tr><th scope="col">File</th><th scope="col">What it is, how it was checked</th></tr></thead><tbody>${rows}</tbody></table>${hidden > 0 && html`<p>${plural(hidden, "more file")} in report.json</p>`}</details></section>
`;
}
function notices$1(all, { leftOut }) {
	const notes = [
		...leftOutNote(leftOut.issues, "issue"),
		...leftOutNote(leftOut.files, "file"),
		...all
	];
	if (notes.length === 0) return void 0;
	const shown = notes.slice(0, MAX_NOTICES).map((note) => html`<li>${sentence(note)}</li>`);
	const hidden = notes.length - shown.length;
	return html`<section class="steps" aria-labelledby="notices"><details class="card fold"${notes.length <= MAX_OPEN_NOTICES && " open"}><summary><h2 id="notices">Also good to know</h2></summary><ul>${shown}${hidden > 0 && html`<li>and ${plural(hidden, "more notice")}</li>`}</ul></details></section>
`;
}
function leftOutNote(number, noun) {
	if (number <= 0) return [];
	return [`${plural(number, noun)}, the least severe, ${number === 1 ? "is" : "are"} left out of this page; report.json has all.`];
}
function footer$1({ submission, mode }) {
	return html`<footer class="soft">${joinHtml([
		submission.id && html`submission <code>${truncate(submission.id, 100)}</code> ${truncate(submission.status, 40)}`,
		submission.workflowId && html`workflow <code>${truncate(submission.workflowId, 100)}</code>`,
		mode === "sandbox" ? html`a sandbox costs no credits` : html`only files that are sent cost credits`
	].filter((part) => part instanceof Object), " · ")}</footer>`;
}
const DIALOGS = html`<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2><table>${[
	["j", "next issue"],
	["k", "previous issue"],
	["/", "search"],
	["c", "copy the link to this issue"],
	["?", "this help"],
	["Esc", "close, or leave the search"]
].map(([key, use]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${use}</td></tr>`)}</table><form method="dialog"><button>Close</button></form></dialog>
<dialog id="lightbox" aria-label="Image"><form method="dialog"><button type="button" id="smaller" aria-label="Smaller">−</button><button type="button" id="larger" aria-label="Larger">+</button><button type="button" id="fit">Fit</button><button>Close</button></form><div class="stage" tabindex="0" role="group" aria-label="Enlarged image, scroll to move"></div></dialog>
<p id="copied" role="status"></p>`;
// src/report/sarif.ts
const MAX_RESULTS = 25e3;
const MAX_LOCATIONS = 100;
const MAX_NOTIFICATIONS = 500;
const MAX_TEXT_LENGTH$2 = 1e3;
const LEVELS = {
	CRITICAL: "error",
	MAJOR: "warning",
	MINOR: "note",
	INFO: "note"
};
function renderSarif(report, mostResults = MAX_RESULTS) {
	const listed = worstFirst(report).filter(({ issue }) => issue.standing === "active" || issue.standing === "known");
	const shown = listed.slice(0, mostResults);
	const cut = listed.length - shown.length;
	const rules = new Map();
	for (const { issue } of shown) {
		const id = ruleId(issue);
		if (!rules.has(id)) rules.set(id, {
			index: rules.size,
			text: plain(issue.headline || issue.summary || id)
		});
	}
	const fingerprint = fingerprints();
	return `${JSON.stringify({
		$schema: "https://json.schemastore.org/sarif-2.1.0.json",
		version: "2.1.0",
		runs: [{
			tool: { driver: {
				name: "Media Compliance Gate",
				rules: Array.from(rules, ([id, { text }]) => ({
					id,
					shortDescription: { text: id },
					fullDescription: { text }
				}))
			} },
			automationDetails: { id: `${truncate(report.gate.toWellFormed(), 100).replaceAll("/", "-")}/` },
			columnKind: "utf16CodeUnits",
			invocations: [{
				executionSuccessful: report.verdict !== "error",
				toolExecutionNotifications: notifications(report, cut)
			}],
			properties: {
				verdict: report.verdict,
				resultsTotal: listed.length,
				resultsLeftOut: cut,
				waived: report.counts.waived,
				ignored: report.counts.ignored
			},
			results: shown.map((entry) => result(entry, rules.get(ruleId(entry.issue))?.index ?? 0, fingerprint(entry)))
		}]
	})}\n`;
}
function ruleId(issue) {
	return truncate(visibleLines(issue.ruleCode).trim(), 200) || "unnamed-rule";
}
function plain(text) {
	return visibleLines(truncate(text, MAX_TEXT_LENGTH$2)).replace(/[\\[\]]/g, "\\$&");
}
function relativeUri(path) {
	return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
function fingerprints() {
	const seen = new Map();
	return ({ asset, issue }) => {
		const key = JSON.stringify([
			asset.paths[0],
			issue.ruleCode,
			issue.sidekickId ?? ""
		]);
		const place = (seen.get(key) ?? 0) + 1;
		seen.set(key, place);
		return (0,external_node_crypto_.createHash)("sha256").update(`${key}#${place}`).digest("hex").slice(0, 32);
	};
}
function result({ asset, issue }, ruleIndex, fingerprint) {
	const why = issue.headline ? `${plain(issue.headline)}: ` : "";
	return {
		ruleId: ruleId(issue),
		ruleIndex,
		level: LEVELS[issue.severity],
		message: { text: `${issue.severity}: ${why}${plain(issue.summary)}` },
		locations: asset.paths.slice(0, MAX_LOCATIONS).map((path) => ({ physicalLocation: {
			artifactLocation: {
				uri: relativeUri(path),
				uriBaseId: "%SRCROOT%"
			},
			region: { startLine: 1 }
		} })),
		partialFingerprints: {
			primaryLocationLineHash: `${fingerprint}:1`,
			"mediaComplianceIssue/v1": fingerprint
		},
		...issue.isNew === void 0 ? {} : { baselineState: issue.isNew ? "new" : "unchanged" },
		properties: {
			severity: issue.severity,
			status: issue.status,
			standing: issue.standing,
			failsGate: issue.failsGate,
			referenceNumber: issue.referenceNumber ?? null,
			issueId: issue.id,
			locationsLeftOut: Math.max(0, asset.paths.length - MAX_LOCATIONS)
		}
	};
}
function notifications(report, cut) {
	const shown = report.causes.slice(0, MAX_NOTIFICATIONS).map((cause) => ({
		level: report.verdict === "skipped" ? "note" : "error",
		descriptor: { id: cause.reason },
		message: { text: plain(`${cause.message} ${cause.fix}`) },
		...cause.path === void 0 ? {} : { locations: [{ physicalLocation: { artifactLocation: {
			uri: relativeUri(cause.path),
			uriBaseId: "%SRCROOT%"
		} } }] }
	}));
	const problems = report.causes.length - shown.length;
	return [
		...shown,
		...leftOut("problems-left-out", problems, `${plural(problems, "problem")} left out: report.json has all.`),
		...leftOut("results-left-out", cut, `${plural(cut, "less severe result")} left out: code scanning takes ${MAX_RESULTS} at most.`)
	];
}
function leftOut(id, number, text) {
	return number === 0 ? [] : [{
		level: "warning",
		descriptor: { id },
		message: { text }
	}];
}
// src/report/summary-rows.ts
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH$1 = 4e3;
const MAX_PRECEDENTS = 10;
const MAX_PATHS = 5;
const MAX_TOPICS = 3;
function pathLink(path, run) {
	return link$1(fileUrl(run, path), `<code>${markdown(truncate(path, MAX_LINE_LENGTH))}</code>`);
}
function pathLinks({ paths }, run, max = 1) {
	const shown = paths.slice(0, max).map((path) => pathLink(path, run));
	return shown.join(", ") + andMore(paths.length - shown.length);
}
function andMore(hidden) {
	return hidden > 0 ? ` and ${count$1(hidden)} more` : "";
}
function issueName(issue, url) {
	const reported = issue.severity !== issue.reportedSeverity ? ` (reported as ${markdown(truncate(issue.reportedSeverity, 40))})` : "";
	const number = issue.referenceNumber === void 0 ? "" : ` ${link$1(url, `#&#8203;${issue.referenceNumber}`)}`;
	const rule = `<code>${markdown(truncate(issue.ruleCode, 80))}</code>`;
	const text = markdown(truncate(issue.headline || issue.summary, MAX_LINE_LENGTH));
	return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${reported} ${rule}${number} ${text}`;
}
function issueDetails({ asset, issue, topics }, run, isOpen) {
	const body = [
		`<p>${markdownLines(truncate(issue.summary, MAX_TEXT_LENGTH$1))}</p>`,
		issue.reasoning ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(truncate(issue.reasoning, MAX_TEXT_LENGTH$1))}</p>` : "",
		precedents(issue.precedents),
		`<p>${facts$1({
			asset,
			issue,
			topics
		}, run).join("<br>")}</p>`
	].filter((part) => part !== "").join("");
	const name = `${issueName(issue, issue.url)} in ${pathLinks(asset, run)}`;
	return `<details${isOpen ? " open" : ""}><summary>${name}</summary><blockquote>${body}</blockquote></details>`;
}
function facts$1({ asset, issue, topics }, run) {
	const { waiver } = issue;
	return [
		`<b>${asset.paths.length === 1 ? "File" : "Files, all with the same bytes"}:</b> ${pathLinks(asset, run, MAX_PATHS)}`,
		`<b>In this gate:</b> ${[GATE_LABELS[gateOf(issue)], novelty(issue)].filter(Boolean).join("; ")}`,
		`<b>Status at the service:</b> ${markdown(truncate(issue.status, 80))}`,
		waiver ? `<b>Waiver:</b> ${markdown(truncate(waiver.reason, 500))} (${markdown(truncate(waiver.owner, 80))}, until ${markdown(truncate(waiver.expires, 40))})` : "",
		topicFact(topics),
		issue.createdAt ? `<b>Found:</b> ${markdown(truncate(day(issue.createdAt), 40))}` : ""
	].filter((fact) => fact !== "");
}
function topicFact(titles) {
	if (titles.length === 0) return "";
	const shown = titles.slice(0, MAX_TOPICS).map((title) => markdown(truncate(title, 120)));
	return `<b>Topic:</b> ${shown.join("; ")}${andMore(titles.length - shown.length)}`;
}
function precedents(all) {
	if (all.length === 0) return "";
	const items = all.slice(0, MAX_PRECEDENTS).map((one) => {
		return `<li>${link$1(one.url, markdown(truncate(one.title || one.url || "untitled", MAX_LINE_LENGTH)))}${one.decision ? `: ${markdown(truncate(one.decision, 500))}` : ""}${one.date ? ` (${markdown(truncate(day(one.date), 40))})` : ""}</li>`;
	});
	const hidden = all.length - items.length;
	if (hidden > 0) items.push(`<li>and ${count$1(hidden)} more</li>`);
	return `<p><b>Precedents</b></p><ul>${items.join("")}</ul>`;
}
const MAX_PATHS_IN_ROW = 4;
const FILE_TABLE_HEAD = "| File | Issues |\n| :-- | :-- |";
function fileRow(asset, { mode, run }) {
	const facts = [describeFile(asset), provenance(asset)].map((fact) => markdown(truncate(fact, 200)));
	const changes = [sinceVersion(asset), sinceBase(asset)].filter(Boolean);
	return `| ${[`${fileMark(asset, mode)}&nbsp;${paths(asset, run)}<br><sub>${[...facts, ...changes].join("; ")}</sub>`, issueCounts(asset) || (mode === "sandbox" ? "not analysed" : "none")].join(" | ")} |`;
}
function fileMark(asset, mode) {
	if (asset.issues.some((issue) => issue.failsGate)) return "❌";
	if (asset.outcome !== "judged") return "⚠️";
	if (asset.issues.some((issue) => issue.standing === "active")) return "☑️";
	return mode === "sandbox" ? "🧪" : "✅";
}
function paths(asset, run) {
	const shown = asset.paths.slice(0, MAX_PATHS_IN_ROW).map((path) => pathLink(path, run));
	const hidden = asset.paths.length - shown.length;
	return shown.join("<br>") + (hidden > 0 ? `<br>and ${count$1(hidden)} more` : "");
}
function issueCounts(asset) {
	if (asset.outcome === "failed") return "analysis failed";
	const of = (wanted) => asset.issues.filter(wanted).length;
	const active = SEVERITIES.map((severity) => ({
		severity,
		number: of((issue) => issue.standing === "active" && issue.severity === severity)
	}));
	const known = of(({ standing }) => standing === "known");
	const waived = of(({ standing }) => standing === "waived");
	const closed = of(({ standing }) => standing === "ignored");
	return [
		...asset.outcome === "unjudged" ? ["not judged"] : [],
		...active.filter(({ number }) => number > 0).map(({ severity, number }) => `${SEVERITY_MARKS[severity]} ${count$1(number)} ${severity}`),
		...known > 0 ? [`${count$1(known)} known`] : [],
		...waived > 0 ? [`${count$1(waived)} waived`] : [],
		...closed > 0 ? [`${count$1(closed)} closed`] : []
	].join(", ");
}
function sinceVersion(asset) {
	const changes = describeChanges(asset);
	return changes === "" ? "" : `since the version before: ${changes}`;
}
function sinceBase({ issues }) {
	const added = issues.filter((issue) => issue.isNew === true && issue.standing === "active").length;
	const both = issues.filter((issue) => issue.isNew === false).length;
	return [added > 0 ? `${count$1(added)} not on the base branch` : "", both > 0 ? `${count$1(both)} also on the base branch` : ""].filter((part) => part !== "").join(", ");
}
function groupByRule(listed) {
	return [...Map.groupBy(listed, ({ issue }) => issue.ruleCode)].flatMap(([ruleCode, entries]) => {
		const [worst] = entries;
		if (!worst) return [];
		const assets = new Set(entries.map(({ asset }) => asset));
		return {
			ruleCode,
			worst,
			issues: entries.length,
			failing: entries.filter(({ issue }) => issue.failsGate).length,
			files: countFiles([...assets])
		};
	});
}
const RULE_TABLE_HEAD = "| Rule, and its worst issue | Issues |\n| :-- | :-- |";
function ruleRow({ ruleCode, worst, issues, failing, files }, run) {
	const { issue, asset } = worst;
	const stops = failing === 0 ? "" : `<br>❌&nbsp;${count$1(failing)} ${failing === 1 ? "stops" : "stop"} the check`;
	const headline = markdown(truncate(issue.headline || issue.summary, 120));
	return `| ${[`${SEVERITY_MARKS[issue.severity]}&nbsp;<code>${markdown(truncate(ruleCode, 80))}</code> ${headline}<br>${pathLink(asset.paths[0] ?? "", run)}`, `<b>${count$1(issues)}</b> in ${plural(files, "file")}${stops}`].join(" | ")} |`;
}
// src/report/summary-parts.ts
function essentialsOf(report, listed, budget) {
	const fit = (text) => budget.take(text) ? text : "";
	return {
		heading: fit(heading(report)),
		meaning: fit(meaning(report)),
		facts: fit(facts(report)),
		worst: fit(worst(listed, report.run)),
		footer: fit(footer(report)),
		nextSteps: fit(nextSteps(report)),
		picture: fit(severityPicture(report, listed))
	};
}
function heading(report) {
	return `## ${verdictMark(report)} ${prose$1(truncate(title(report), 400))}`;
}
function meaning(report) {
	const memory = report.lastKnown ? `\n\n⚠️ ${prose$1(truncate(report.lastKnown.message, 1e3))}` : "";
	return `**${prose$1(consequence(report))}**${memory}`;
}
function facts(report) {
	const { verdict, reason, counts } = report;
	if (verdict === "error" && counts.filesMatched === 0 && reason !== "no-files") return "";
	return [
		`**${plural(counts.filesMatched, "file")}** ${checkedWord(report)}`,
		issueFacts(report),
		isWithoutAnalysis(report) ? "" : `**${cost(report)}**`
	].filter((fact) => fact !== "").join(" · ");
}
function checkedWord(report) {
	if (report.verdict === "skipped") return report.counts.filesMatched === 0 ? "checked" : "matched, none checked";
	return report.mode === "sandbox" ? "in the sandbox, none analysed" : "matched";
}
function issueFacts(report) {
	const { assets, counts, verdict, mode } = report;
	if (counts.issues === 0) {
		if (verdict === "skipped" || mode === "sandbox" || counts.filesMatched === 0) return "";
		if (!hasJudged(report)) return "nothing was judged";
		if (verdict !== "error") return "no active issues";
		const judged = countFiles(assets.filter(({ outcome }) => outcome === "judged"));
		return `${count$1(judged)} judged without an active issue, ${count$1(counts.filesMatched - judged)} not judged`;
	}
	const stops = `, **${count$1(counts.failing)} ${counts.failing === 1 ? "stops" : "stop"} the check**`;
	return plural(counts.issues, "active issue") + (counts.failing === 0 ? "" : stops);
}
function worst([first], run) {
	if (first === void 0 || first.issue.standing !== "active") return "";
	const { asset, issue } = first;
	const text = markdown(truncate(issue.headline || issue.summary, 200));
	return `**${issue.failsGate ? "Look here first" : "Worst issue"}:** ${pathLinks(asset, run)}: ${text} (${SEVERITY_MARKS[issue.severity]} ${issue.severity})`;
}
const MAX_STEPS = 10;
function nextSteps(report) {
	if (report.nextSteps.length === 0) return "";
	const shown = report.nextSteps.slice(0, MAX_STEPS).map((step) => prose$1(truncate(step, 600)));
	const hidden = report.nextSteps.length - shown.length;
	if (hidden > 0) shown.push(`and ${plural(hidden, "more step")}`);
	const more = moreAbout(report);
	return [
		"### What to do now",
		"",
		...shown.map((step, index) => `${index + 1}. ${step}`),
		...more === "" ? [] : ["", more]
	].join("\n");
}
const SQUARES = {
	CRITICAL: "🟥",
	MAJOR: "🟧",
	MINOR: "🟨",
	INFO: "🟦"
};
const MAX_BAR_LENGTH = 8;
function severityPicture(report, listed) {
	if (listed.length === 0 || !hasJudged(report)) return "";
	const { bySeverity } = report.counts;
	const max = Math.max(...SEVERITIES.map((severity) => bySeverity[severity]));
	return [
		"### Issues by severity",
		"",
		"| Severity | Active issues | Stop the check |",
		"| --- | --- | --- |",
		...SEVERITIES.map((severity) => {
			const number = bySeverity[severity];
			const failing = listed.filter(({ issue }) => issue.failsGate && issue.severity === severity).length;
			const bar = number === 0 ? "0" : `${SQUARES[severity].repeat(barLength(number, max))} **${count$1(number)}**`;
			return `| ${SEVERITY_MARKS[severity]}&nbsp;**${SEVERITY_NAMES[severity]}** | ${bar} | ${failing === 0 ? "–" : `❌ ${count$1(failing)}`} |`;
		}),
		"",
		[threshold(report), notCounted(report)].filter((sentence) => sentence !== "").join(" ")
	].join("\n");
}
function barLength(number, max) {
	return max <= MAX_BAR_LENGTH ? number : Math.max(1, Math.round(number / max * MAX_BAR_LENGTH));
}
function notCounted({ counts }) {
	const parts = [
		counts.known > 0 ? `${count$1(counts.known)} known from the base branch` : "",
		counts.waived > 0 ? `${count$1(counts.waived)} waived` : "",
		counts.ignored > 0 ? `${count$1(counts.ignored)} closed at the service` : ""
	].filter((part) => part !== "");
	return parts.length === 0 ? "" : `Not counted: ${parts.join(", ")}.`;
}
const MAX_TABLED_PATHS = 3;
function causeTable(causes, run) {
	const hasFiles = causes.some(({ paths }) => paths.length > 0);
	const columns = [
		...hasFiles ? ["File"] : [],
		"What happened",
		"What to do"
	];
	return {
		head: [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`].join("\n"),
		row: ({ paths, message, fix }) => {
			return `| ${[
				...hasFiles ? [filesOf(paths, run)] : [],
				prose$1(truncate(message, 1e3)),
				prose$1(truncate(fix, 600))
			].join(" | ")} |`;
		}
	};
}
function filesOf(paths, run) {
	if (paths.length === 0) return "–";
	const links = paths.slice(0, MAX_TABLED_PATHS).map((path) => pathLink(path, run));
	const hidden = paths.length - links.length;
	const names = links.join(", ") + (hidden > 0 ? ` and ${count$1(hidden)} more` : "");
	return paths.length === 1 ? names : `${plural(paths.length, "file")}: ${names}`;
}
function notices(report) {
	if (report.notices.length === 0) return "";
	const shown = report.notices.slice(0, 20).map((notice) => `- ${prose$1(truncate(notice, 600))}`);
	const hidden = report.notices.length - shown.length;
	if (hidden > 0) shown.push(`- and ${count$1(hidden)} more`);
	return [
		"### Also good to know",
		"",
		...shown
	].join("\n");
}
function paid({ mode, assets }) {
	if (mode === "sandbox") return "A sandbox key costs no credits.";
	const sent = assets.filter(({ source }) => source === "sent");
	if (sent.length === 0) return "This run cost nothing.";
	return `Only ${countFiles(sent) === sent.length ? "files" : "assets"} that are sent cost credits; what is reused is free.`;
}
function footer(report) {
	const { run, submission } = report;
	const place = run.pullRequest ? link$1(pullRequestUrl(run), `pull request ${run.pullRequest.number}`) : link$1(branchUrl(run), markdown(truncate((run.branch ?? run.ref).replace(/^refs\/(?:heads|tags)\//, ""), 100)));
	const price = isWithoutAnalysis(report) ? "" : ` ${paid(report)}`;
	return `${`**What it cost:** ${cost(report)}.${price}`}\n\n<sub>${[
		`gate ${markdown(truncate(report.gate, 100))}`,
		run.repository && `${link$1(repositoryUrl(run), markdown(truncate(run.repository, 100)))}, ${place}, commit ${link$1(commitUrl(run), `<code>${markdown(run.commit.slice(0, 7))}</code>`)}`,
		submission.id && `submission ${markdown(truncate(submission.id, 80))} ${markdown(truncate(submission.status, 40))}`,
		submission.workflowId && `workflow ${markdown(truncate(submission.workflowId, 80))}`,
		run.url && link$1(run.url, "this run"),
		report.fullReport && `full report: ${markdown(truncate(report.fullReport, 300))}`
	].filter((part) => part !== "" && part !== void 0).join(" · ")}</sub>`;
}
// src/report/summary.ts
const MAX_BYTES = 1040384;
const FRAME_BYTES = 4096;
const MAX_SINGLE_ISSUES = 20;
const MAX_OPEN_ISSUES = 5;
const FEW = {
	causes: 10,
	files: 5,
	issues: 5,
	rules: 12,
	fixed: 5,
	clean: 0
};
const MANY = {
	causes: 20,
	files: 20,
	issues: MAX_SINGLE_ISSUES,
	rules: 0,
	fixed: 20,
	clean: 50
};
function renderSummary(report, limitBytes = MAX_BYTES) {
	const budget = new Budget(limitBytes - FRAME_BYTES);
	return [...bodyOf(report, worstFirst(report), {
		budget,
		isComment: false
	})].join("\n\n").concat("\n");
}
function* bodyOf(report, listed, { budget, isComment }) {
	const { run, mode } = report;
	const isLarge = listed.length > MAX_SINGLE_ISSUES;
	const max = isLarge || isComment ? {
		...FEW,
		issues: isLarge ? FEW.issues : MANY.issues
	} : MANY;
	const essentials = essentialsOf(report, listed, budget);
	const take = (items, most, render) => takeWhileFits(items.slice(0, most), budget, render);
	const allCauses = tabledCauses(report);
	const causeTable$2 = causeTable(allCauses, run);
	const causes = take(allCauses, max.causes, causeTable$2.row);
	const rules = isLarge ? groupByRule(listed) : [];
	const ruleRows = take(rules, max.rules, (group) => ruleRow(group, run));
	const { notable, clean, unsent } = splitFiles(report);
	const rows = take(notable, max.files, (asset) => fileRow(asset, report));
	const issues = take(listed.slice(0, max.issues), max.issues, (entry) => issueDetails(entry, run, !isLarge && !isComment && listed.indexOf(entry) < MAX_OPEN_ISSUES && entry.issue.failsGate));
	const allFixed = report.assets.flatMap((asset) => (asset.fixed ?? []).map((issue) => ({
		asset,
		issue
	})));
	const fixed = take(allFixed, max.fixed, (entry) => fixedLine(entry, run));
	const cleanRows = take(clean, max.clean, (asset) => fileRow(asset, report));
	const unsentRows = take(unsent, max.clean, (asset) => fileRow(asset, report));
	yield* [
		essentials.heading,
		essentials.meaning,
		essentials.facts,
		essentials.worst,
		essentials.nextSteps,
		section(causesTitle(report), causes, [
			causeTable$2.head,
			...causes,
			...more(allCauses.length - causes.length, "problem")
		]),
		essentials.picture,
		section("Issues by rule, worst first", ruleRows, [
			RULE_TABLE_HEAD,
			...ruleRows,
			...more(rules.length - ruleRows.length, "rule")
		]),
		...issueSections(listed, issues, isLarge),
		isLarge || issues.length < listed.length ? fit(everyIssue(report, listed.length), budget) : "",
		section("Files, worst first", rows, [
			FILE_TABLE_HEAD,
			...rows,
			...more(countFiles(notable.slice(rows.length)), "file")
		]),
		filesNote(cleanFiles(mode, countFiles(clean)), clean, {
			rows: cleanRows,
			isComment
		}),
		unsentNote(report, unsent, {
			rows: unsentRows,
			isComment
		}),
		section("Fixed since the version before", fixed, [...fixed, ...more(allFixed.length - fixed.length, "fixed issue")]),
		isComment ? "" : fit(notices(report), budget),
		"---",
		essentials.footer
	].filter((part) => part !== "");
}
function more(hidden, noun) {
	return hidden > 0 ? ["", `and ${plural(hidden, `more ${noun}`)} in <code>report.html</code>`] : [];
}
function fit(text, budget) {
	return budget.take(text) ? text : "";
}
const SHORT_TABLE = 10;
function isIn(asset, paths) {
	return asset.paths.some((path) => paths.has(path));
}
function splitFiles(report) {
	const { assets, causes } = report;
	const blamed = new Set(causes.map(({ path }) => path));
	const tabled = new Set(tabledCauses(report).flatMap(({ paths }) => paths));
	const isUnsent = (asset) => asset.source === "not-sent" && !isIn(asset, blamed);
	const isTabled = (asset) => asset.outcome !== "judged" && asset.issues.length === 0 && isIn(asset, tabled);
	const others = assets.filter((asset) => !isUnsent(asset) && !isTabled(asset));
	const isShort = others.length <= SHORT_TABLE;
	return {
		notable: isShort ? others : others.filter((asset) => !isClean(asset)),
		clean: isShort ? [] : others.filter(isClean),
		unsent: assets.filter(isUnsent)
	};
}
function issueSections(listed, texts, isLarge) {
	if (isLarge) return [section("The worst issues", texts, texts)];
	const pick = (wanted) => texts.filter((_, index) => {
		const entry = listed[index];
		return entry !== void 0 && wanted(entry);
	});
	const failing = pick(({ issue }) => issue.failsGate);
	const others = pick(({ issue }) => !issue.failsGate && issue.standing === "active");
	const apart = pick(({ issue }) => issue.standing !== "active");
	return [
		section("Issues that stop the check, worst first", failing, failing),
		section(failing.length > 0 ? "Other active issues" : "Active issues", others, others),
		section("Issues that do not count", apart, apart)
	];
}
function everyIssue({ fullReport }, issues) {
	const place = fullReport === void 0 ? "" : ` (${markdown(truncate(fullReport, 300))})`;
	return `**All ${plural(issues, "issue")}** are in <code>report.html</code>${place}, which can be searched and filtered.`;
}
function fixedLine({ asset, issue }, run) {
	return `<div>✅ was ${issueName(issue)} in ${pathLinks(asset, run)}</div>`;
}
function section(title, shown, lines) {
	return shown.length === 0 ? "" : [
		`### ${title}`,
		"",
		...lines
	].join("\n");
}
function filesNote(title, files, { rows, isComment }) {
	if (files.length === 0 || isComment) return "";
	if (rows.length === 0) return `${title}.`;
	const hidden = countFiles(files.slice(rows.length));
	return [
		`<details><summary>${title}</summary>`,
		"",
		FILE_TABLE_HEAD,
		...rows,
		...more(hidden, "file"),
		"",
		"</details>"
	].join("\n");
}
function unsentNote(report, files, shown) {
	const isUnclear = files.some(({ sourceReason }) => sourceReason === UNCLEAR);
	const title = `${plural(countFiles(files), "file")}${isUnclear ? `: ${UNCLEAR}` : " not submitted"}`;
	if (isUnclear) return filesNote(title, files, {
		...shown,
		rows: []
	});
	return report.verdict === "error" && isWithoutAnalysis(report) ? "" : filesNote(title, files, shown);
}
function markerLine(marker) {
	return `<!-- ${marker.replace(/[^\w:./@ ]/gu, "-").replace(/-{2,}/g, "-")} -->`;
}
function renderComment(report, marker) {
	const head = markerLine(marker);
	const budget = new Budget(61440);
	budget.take(head);
	return [head, ...bodyOf(report, worstFirst(report).filter(({ issue }) => issue.standing === "active"), {
		budget,
		isComment: true
	})].join("\n\n");
}
// src/report/files.ts
const HTML_NAME = "report.html";
const SARIF_NAME = "report.sarif";
function reportFiles(report, media) {
	return [
		{
			name: HTML_NAME,
			pieces: () => [renderPage(report, media)]
		},
		{
			name: "report.json",
			pieces: () => renderJson(report)
		},
		{
			name: SARIF_NAME,
			pieces: () => [renderSarif(report)]
		},
		{
			name: "junit.xml",
			pieces: () => [renderJunit(report)]
		},
		{
			name: "summary.md",
			pieces: () => [renderSummary(report)]
		},
		{
			name: "cleared.sha256",
			pieces: () => [renderCleared(report)]
		},
		{
			name: "predicate.json",
			pieces: () => [renderPredicate(report)]
		}
	];
}
// src/lib/error-message.ts
function messageOf(error) {
	return error instanceof Error ? error.message : String(error);
}
// src/state/earlier-state.ts
function joined(documents) {
	const { contents, open } = new EarlierState(documents);
	const paths = new Map();
	for (const path of documents.flatMap((document) => document.paths)) {
		const known = paths.get(path.path);
		if (!known || known.seenAt < path.seenAt) paths.set(path.path, path);
	}
	return {
		contents: [...contents],
		paths: [...paths.values()],
		open: [...open]
	};
}
function contains(outer, inner) {
	const contents = new Map(outer.contents.map((content) => [`${content.sha256} ${content.sidekicks}`, content]));
	const paths = new Map(outer.paths.map((path) => [path.path, path]));
	const open = new Set(outer.open.map(({ submissionId }) => submissionId));
	return inner.contents.every(({ sha256, sidekicks, analysedAt }) => {
		const same = contents.get(`${sha256} ${sidekicks}`);
		return same !== void 0 && same.analysedAt >= analysedAt;
	}) && inner.paths.every(({ path, seenAt }) => (paths.get(path)?.seenAt ?? "") >= seenAt) && inner.open.every(({ submissionId }) => open.has(submissionId));
}
var EarlierState = class {
	#contents = new Map();
	#paths = new Map();
	#open = new Map();
	constructor(documents) {
		for (const document of documents) {
			for (const content of document.contents) this.#learn(content);
			for (const path of document.paths) if (!this.#paths.has(path.path)) this.#paths.set(path.path, path);
			for (const open of document.open) if (!this.#open.has(open.submissionId)) this.#open.set(open.submissionId, open);
		}
	}
	get isEmpty() {
		return this.#contents.size === 0;
	}
	#learn(content) {
		const analyses = this.#contents.get(content.sha256) ?? new Map();
		const known = analyses.get(content.sidekicks);
		if (!known || known.analysedAt < content.analysedAt) analyses.set(content.sidekicks, content);
		this.#contents.set(content.sha256, analyses);
	}
	analysis(sha256, sidekicks) {
		return this.#contents.get(sha256)?.get(sidekicks);
	}
	content(sha256) {
		return [...this.#contents.get(sha256)?.values() ?? []].toSorted((a, b) => a.analysedAt < b.analysedAt ? 1 : -1)[0];
	}
	path(path) {
		return this.#paths.get(path);
	}
	get contents() {
		return [...this.#contents.values()].flatMap((analyses) => [...analyses.values()]);
	}
	get paths() {
		return [...this.#paths.values()];
	}
	get open() {
		return [...this.#open.values()];
	}
};
// src/state/scopes.ts
function scopeOf({ branch, pullRequest, event, commit }) {
	if (pullRequest) return pullScope(branch);
	if (event === "merge_group") return groupScope(commit);
	return isOfBranch(event) ? branchScope(branch) : `other:${branch}`;
}
function isOfBranch(event) {
	return [
		"push",
		"schedule",
		"workflow_dispatch",
		"workflow_run"
	].includes(event);
}
function branchScope(branch) {
	return `branch:${branch}`;
}
function pullScope(branch) {
	return `pull:${branch}`;
}
function groupScope(commit) {
	return `group:${commit}`;
}
function describeScope(scope) {
	const [kind = ""] = scope.split(":", 1);
	const name = scope.slice(kind.length + 1);
	if (kind === "pull") return `of the pull request from ${name}`;
	if (kind === "group") return `of the merge group ${name.slice(0, 7)}`;
	return kind === "other" ? `of other events on the branch ${name}` : `of the branch ${name}`;
}
function usefulScopes(context, merged) {
	const { baseBranch, baseCommit, defaultBranch } = context;
	return {
		...changedScopes(context, merged),
		groupBase: isMergeGroup(context) && baseCommit !== void 0 ? groupScope(baseCommit) : void 0,
		base: baseBranch === void 0 ? void 0 : branchScope(baseBranch),
		default: defaultBranch === void 0 ? void 0 : branchScope(defaultBranch)
	};
}
function changedScopes(context, merged) {
	const own = scopeOf(context);
	if (merged === void 0) {
		if (!isMergeGroup(context)) return {
			saved: [own],
			own,
			related: counterpart(context),
			relatedFallback: void 0
		};
		const isNew = context.runAttempt === 1;
		return {
			saved: [own],
			own: isNew ? void 0 : own,
			related: void 0,
			relatedFallback: void 0
		};
	}
	const [pull, relatedFallback] = [pullScope(merged), branchScope(merged)];
	if (!isMergeGroup(context)) return {
		saved: [own],
		own,
		related: pull,
		relatedFallback
	};
	return {
		saved: [pull, own],
		own: pull,
		related: void 0,
		relatedFallback
	};
}
function counterpart({ branch, defaultBranch, pullRequest }) {
	if (pullRequest) return branchScope(branch);
	return branch !== defaultBranch && !branch.startsWith("refs/") ? pullScope(branch) : void 0;
}
function isMergeGroup({ event }) {
	return event === "merge_group";
}
async function findMergedBranch({ queuedPullRequest, commit, event }, api) {
	if (queuedPullRequest !== void 0) return (await api.pullRequest(queuedPullRequest)).branch;
	if (event !== "push") return void 0;
	return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
}
// src/state/archive.ts
const MAX_STATE_BYTES = 67108864;
const STATE_FILE = "state.json";
function stateIn(archive) {
	const zip = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
	try {
		const [entry, ...others] = entriesOf(zip).filter(({ name }) => name === STATE_FILE);
		return entry && others.length === 0 ? unpack(zip, entry) : void 0;
	} catch {
		return;
	}
}
const END = {
	signature: 101010256,
	size: 22,
	longestComment: 65535
};
const CENTRAL = {
	signature: 33639248,
	size: 46
};
const LOCAL = {
	signature: 67324752,
	size: 30
};
function entriesOf(zip) {
	const end = findEnd(zip);
	if (end === void 0) return [];
	const entries = [];
	let at = zip.readUInt32LE(end + 16);
	for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
		if (zip.readUInt32LE(at) !== CENTRAL.signature) return [];
		const nameLength = zip.readUInt16LE(at + 28);
		entries.push({
			name: zip.toString("utf8", at + CENTRAL.size, at + CENTRAL.size + nameLength),
			method: zip.readUInt16LE(at + 10),
			packedSize: zip.readUInt32LE(at + 20),
			offset: zip.readUInt32LE(at + 42)
		});
		at += CENTRAL.size + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
	}
	return entries;
}
function findEnd(zip) {
	const first = Math.max(0, zip.length - END.size - END.longestComment);
	for (let at = zip.length - END.size; at >= first; at -= 1) if (zip.readUInt32LE(at) === END.signature) return at;
}
const STORED = 0;
const DEFLATED = 8;
function unpack(zip, { method, packedSize, offset }) {
	if (zip.readUInt32LE(offset) !== LOCAL.signature) return void 0;
	const start = offset + LOCAL.size + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
	if (start + packedSize > zip.length) return void 0;
	const packed = zip.subarray(start, start + packedSize);
	if (method === STORED) return packed.length <= 67108864 ? packed : void 0;
	return method === DEFLATED ? (0,external_node_zlib_.inflateRawSync)(packed, { maxOutputLength: MAX_STATE_BYTES }) : void 0;
}
// src/state/gate-id.ts
function gateId({ name, workflow, job, matrix }) {
	return digest([
		name,
		workflow,
		job,
		matrix
	], 16);
}
function stepId(identity) {
	const attempt = identity.runAttempt === 1 ? [] : [String(identity.runAttempt)];
	return digest([
		gateId(identity),
		identity.step,
		...attempt
	], 16);
}
function artifactNames(name, { kind, gate, mode, scope }) {
	const first = `${name}-${kind}-${digest([
		gate,
		mode,
		scope
	], 16)}`;
	return [first, `${first}-2`];
}
function digest(parts, length) {
	return (0,external_node_crypto_.createHash)("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, length);
}
// src/state/seal.ts
const Binding = object({
	repositoryId: string(),
	gate: string(),
	runId: string(),
	runAttempt: number(),
	commit: string(),
	scope: string(),
	event: string(),
	mode: picklist(["live", "sandbox"]),
	kind: picklist(["open", "state"]),
	savedAt: pipe(string(), isoTimestamp())
});
const FORMAT = "media-compliance-gate/state/1";
const Envelope = object({
	format: literal(FORMAT),
	keyId: string(),
	signature: pipe(string(), regex(/^[0-9a-f]{64}$/)),
	payload: string()
});
const Payload = object({
	binding: Binding,
	document: StateDocument
});
function signingKey(secret) {
	const derive = (info, length) => Buffer.from((0,external_node_crypto_.hkdfSync)("sha256", secret, FORMAT, info, length));
	return {
		id: derive("key id", 8).toString("hex"),
		bytes: derive("signature", 32)
	};
}
function seal(document, binding, key) {
	const payload = JSON.stringify({
		binding,
		document
	});
	return JSON.stringify({
		format: FORMAT,
		keyId: key.id,
		signature: sign(payload, key),
		payload
	});
}
const MISMATCHES = [
	["repositoryId", "other-repository"],
	["gate", "other-gate"],
	["mode", "other-mode"],
	["runId", "other-run"],
	["scope", "other-scope"],
	["kind", "other-kind"]
];
function unseal(bytes, expected, key) {
	const envelope = readEnvelope(bytes);
	if (!envelope) return failure("unreadable");
	const { keyId, signature, payload } = envelope;
	if (keyId !== key.id) return failure("other-key");
	if (!(0,external_node_crypto_.timingSafeEqual)(Buffer.from(signature, "hex"), Buffer.from(sign(payload, key), "hex"))) return failure("forged");
	const parsed = safeParse(Payload, parseJson(payload));
	if (!parsed.success) return failure("unreadable");
	const mismatch = mismatchOf(parsed.output.binding, expected);
	return mismatch ? failure(mismatch) : success(parsed.output);
}
const Unverified = object({ binding: pick(Binding, [
	"repositoryId",
	"gate",
	"mode"
]) });
function claimedMismatch(bytes, expected) {
	const envelope = readEnvelope(bytes);
	const parsed = safeParse(Unverified, envelope && parseJson(envelope.payload));
	return parsed.success ? mismatchOf(parsed.output.binding, expected) : void 0;
}
function mismatchOf(binding, expected) {
	return MISMATCHES.find(([field]) => expected[field] !== void 0 && expected[field] !== binding[field])?.[1];
}
function describeRefusal(reason, place) {
	switch (reason) {
		case "unreadable": return `The state ${place} is damaged, too large or of another version of this action. It was ignored, so this run sends all files again.`;
		case "other-key": return `The state ${place} was signed with another key, so this run sends all files again. If the API key was changed, set \`state-key\` to keep the state when it changes the next time.`;
		case "forged": return `The state ${place} has an invalid signature. It was ignored. Find out who wrote it: somebody may have tampered with it.`;
		case "other-mode": return `The state ${place} belongs to the other kind of API key: sandbox and live never share results. It was ignored.`;
		case "other-repository": return `The state ${place} belongs to another repository. It was ignored.`;
		case "other-gate": return `The state ${place} belongs to another gate (name, workflow, job or matrix leg). It was ignored. Give each gate its own state.`;
		case "other-run":
		case "other-scope":
		case "other-kind": return `The state ${place} was copied from another run or branch. It was ignored. Find out who copied it.`;
	}
}
function sign(payload, key) {
	return (0,external_node_crypto_.createHmac)("sha256", key.bytes).update(payload).digest("hex");
}
function readEnvelope(bytes) {
	try {
		const text = new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(bytes);
		const parsed = safeParse(Envelope, parseJson(text));
		return parsed.success ? parsed.output : void 0;
	} catch {
		return;
	}
}
// src/state/state-artifacts.ts
function queryFor(scope, slot, { gateName, binding }) {
	const kind = slot === "open" || slot === "open-2" ? "open" : "state";
	const [first, second] = artifactNames(gateName, {
		...binding,
		kind,
		scope
	});
	return {
		scope,
		kind,
		name: slot === kind ? first : second
	};
}
async function listArtifacts(query, { api }, notices) {
	const artifacts = await notices.guard(async () => await api.artifacts(query.name)) ?? [];
	const valid = artifacts.filter(({ isExpired }) => !isExpired);
	if (artifacts.length > 0 && valid.length === 0 && query.kind === "state") notices.add(`The state ${describeScope(query.scope)} has expired: raise \`retention-days\` to keep it longer.`);
	return valid.map((artifact) => ({
		...query,
		runId: artifact.runId,
		savedAt: artifact.createdAt,
		artifact
	}));
}
async function readArtifact(candidate, options, notices) {
	const state = await notices.guard(async () => await download(candidate, options));
	if (state === void 0) return void 0;
	if (state.ok) return state.value;
	const { scope, name, runId } = candidate;
	notices.add(describeRefusal(state.error, `${describeScope(scope)} (artifact ${name} of run ${runId})`));
}
async function download({ artifact, scope, kind, runId }, { api, binding, key }) {
	if (artifact.size > 67108864) return failure("unreadable");
	const bytes = stateIn(await api.artifactArchive(artifact.id));
	const { repositoryId, gate, mode } = binding;
	return bytes ? unseal(bytes, {
		repositoryId,
		gate,
		mode,
		scope,
		kind,
		runId
	}, key) : failure("unreadable");
}
var Notices = class {
	#all = new Set();
	#isNeeded;
	constructor(isNeeded) {
		this.#isNeeded = isNeeded;
	}
	add(notice) {
		this.#all.add(notice);
	}
	async guard(ask) {
		try {
			return await ask();
		} catch (error) {
			if (!(error instanceof GitHubError)) throw error;
			if (this.#isNeeded && error.isOutage) throw new GateError({
				reason: "github",
				message: `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${error.message}`,
				fix: `Nothing was sent and nothing was billed. ${error.fix}`
			}, { cause: error });
			this.add(`The state of earlier runs could not all be read, so files may be sent and billed again. ${error.message} ${error.fix}`);
			return;
		}
	}
	get all() {
		return [...this.#all];
	}
};
// src/state/find-states.ts
const FIRST_RUN = "This is the first run of this gate here, so all files are sent. Later runs send only new and changed files.";
async function findStates(options, needs) {
	const { context, api } = options;
	const search = new StateSearch(options, needs);
	const findMerged = async () => await search.notices.guard(async () => await findMergedBranch(context, api));
	let scopes = usefulScopes(context, isMergeGroup(context) ? await findMerged() : void 0);
	const found = () => search.states.toSorted(byNearness(scopes));
	const isEnough = () => needs.isEnough(new EarlierState(found().map(({ document }) => document)));
	await search.look(firstRound(scopes, needs));
	if (!isEnough()) {
		if (needs.canReuse && !isMergeGroup(context)) scopes = usefulScopes(context, await findMerged());
		await search.look(secondRound(scopes, needs));
	}
	if (needs.canReuse && !isEnough()) await search.look(lastRound(scopes, search.hasListed(scopes.related)));
	const states = found();
	const notices = search.notices.all;
	const isFirst = states.length === 0 && notices.length === 0;
	return {
		states,
		isFromFile: false,
		isLost: states.length === 0 && !isFirst,
		notices: isFirst ? [FIRST_RUN] : notices,
		scopes: scopes.saved
	};
}
const STATE = ["state", "state-2"];
const FIRST_NAMES = ["state", "open"];
const ALL = [
	"state",
	"state-2",
	"open",
	"open-2"
];
function firstRound({ own, groupBase, base }, { hasBaseline }) {
	return [
		[own, ["state"]],
		[groupBase, ["state"]],
		[hasBaseline ? base : void 0, STATE]
	];
}
function secondRound({ own, groupBase, base, related }, { canReuse }) {
	if (!canReuse) return [[own, ALL]];
	return [
		[own, ALL],
		[groupBase, ALL],
		[base, ["state"]],
		[related, FIRST_NAMES]
	];
}
function lastRound(scopes, hasRelated) {
	return [
		[scopes.base, STATE],
		[scopes.related, ALL],
		[hasRelated ? void 0 : scopes.relatedFallback, FIRST_NAMES],
		[scopes.default, STATE]
	];
}
const MAX_READ_PASSES = 3;
var StateSearch = class {
	notices;
	#options;
	#baseCommit;
	#listed = new Map();
	#read = new Map();
	constructor(options, { canReuse, hasBaseline }) {
		this.notices = new Notices(canReuse);
		this.#options = options;
		this.#baseCommit = hasBaseline ? options.context.baseCommit : void 0;
	}
	async look(wanted) {
		const options = this.#options;
		const queries = wanted.flatMap(([scope, slots]) => scope === void 0 ? [] : slots.map((slot) => queryFor(scope, slot, options)));
		const unasked = new Map(queries.filter(({ name }) => !this.#listed.has(name)).map((query) => [query.name, query]));
		const lists = await Promise.all(unasked.values().map((query) => listArtifacts(query, options, this.notices)));
		for (const [index, name] of [...unasked.keys()].entries()) this.#listed.set(name, lists[index] ?? []);
		for (let pass = 0; pass < MAX_READ_PASSES; pass++) await this.#readChosen();
	}
	async #readChosen() {
		const isUnusable = ({ artifact: { id } }) => this.#read.has(id) && this.#read.get(id) === void 0;
		const unread = chooseArtifacts([...this.#listed.values()].flat().filter((candidate) => !isUnusable(candidate)), this.#baseCommit).filter(({ artifact }) => !this.#read.has(artifact.id));
		const states = await Promise.all(unread.map((candidate) => readArtifact(candidate, this.#options, this.notices)));
		for (const [index, { artifact }] of unread.entries()) this.#read.set(artifact.id, states[index]);
	}
	hasListed(scope) {
		return this.#listed.values().some((candidates) => candidates.some((candidate) => candidate.scope === scope));
	}
	get states() {
		const states = [...this.#read.values()].filter((state) => state !== void 0);
		const bindings = states.map(({ binding }) => binding);
		return states.filter(({ binding }) => !isSettled(binding, bindings));
	}
};
function chooseArtifacts(listed, baseCommit) {
	return [...Map.groupBy(listed, ({ name }) => name).values()].flatMap((group) => {
		const newestFirst = group.toSorted(byHistory);
		const runs = new Set([
			newestFirst[0]?.runId,
			newestFirst.reduce((last, each) => each.savedAt > last.savedAt ? each : last).runId,
			newestFirst.find(({ artifact }) => baseCommit !== void 0 && artifact.headSha === baseCommit)?.runId
		]);
		return [...Map.groupBy(newestFirst, ({ runId }) => runId).values()].flatMap(([last]) => last && runs.has(last.runId) ? [last] : []);
	}).filter((candidate) => !isSettled(candidate, listed));
}
function isSettled({ kind, scope, runId, savedAt }, all) {
	const isLater = (other) => other.kind === "state" && other.scope === scope && other.runId === runId && other.savedAt > savedAt;
	return kind === "open" && all.some(isLater);
}
function byHistory(a, b) {
	return Number(b.runId) - Number(a.runId) || (b.runAttempt ?? 0) - (a.runAttempt ?? 0) || (a.savedAt < b.savedAt ? 1 : -1);
}
function byNearness(scopes) {
	const order = [
		scopes.own,
		scopes.groupBase,
		scopes.related,
		scopes.relatedFallback,
		scopes.base
	];
	const rank = ({ binding }) => order.includes(binding.scope) ? order.indexOf(binding.scope) : order.length;
	return (a, b) => rank(a) - rank(b) || byHistory(a.binding, b.binding);
}
// src/verdict/baseline.ts
const NO_HISTORY = {
	earlierState: new EarlierState([]),
	baseline: void 0,
	isStateLost: false,
	notices: []
};
function historyOf({ states, isFromFile, isLost, scopes }, context) {
	const { baseBranch, baseCommit } = context;
	const own = scopeOf(context);
	const scope = baseBranch === void 0 ? void 0 : branchScope(baseBranch);
	const ofBase = states.filter(({ binding }) => binding.scope === scope && binding.kind === "state" && isOfBranch(binding.event));
	const base = chooseBase(ofBase, baseCommit, isFromFile);
	const [other] = base ? [] : ofBase;
	return {
		earlierState: new EarlierState(states.map(({ binding, document }) => binding.scope === own ? document : elsewhere(document))),
		baseline: base && new Baseline(base.document),
		isStateLost: isLost,
		notices: other ? [`The state in \`state-file\` is of commit ${other.binding.commit.slice(0, 7)}, and the base of this run is ${baseCommit?.slice(0, 7) ?? "unknown"}, so it is not used as the baseline. Store the file under the base commit's SHA.`] : [],
		scopes
	};
}
function missingBaselineNotice({ baseBranch }) {
	return baseBranch === void 0 ? "`fail-on-issues: new` needs a base branch to compare with, and this run has none. Every issue counts as new." : `\`fail-on-issues: new\` found no analysis of the base branch ${baseBranch}. Every issue counts as new. Run this gate on \`push\` to ${baseBranch} as well.`;
}
function chooseBase(states, baseCommit, isFromFile) {
	const latestFirst = states.toSorted((a, b) => byHistory(a.binding, b.binding));
	return latestFirst.find(({ binding }) => binding.commit === baseCommit) ?? (isFromFile ? void 0 : latestFirst[0]);
}
function elsewhere(document) {
	return {
		...document,
		paths: document.paths.map((path) => ({
			...path,
			isPresent: false
		}))
	};
}
var Baseline = class {
	#byPath = new Map();
	#bySha = new Map();
	constructor({ contents, paths }) {
		const analyses = new Map(contents.map((content) => [analysisOf(content), content.issues]));
		for (const path of paths) {
			const issues = path.isPresent ? analyses.get(analysisOf(path)) : void 0;
			if (!issues) continue;
			const file = {
				sha256: path.sha256,
				issues
			};
			this.#byPath.set(path.path, file);
			this.#bySha.set(path.sha256, file);
		}
	}
	fileAt(path, sha256) {
		return this.#byPath.get(path) ?? this.#bySha.get(sha256);
	}
};
function analysisOf({ sha256, submissionId }) {
	return `${sha256} ${submissionId}`;
}
// src/verdict/findings.ts
function nothingFound() {
	return {
		notices: [],
		discovery: {
			files: [],
			notices: []
		},
		waivers: void 0,
		inspection: {
			files: [],
			pointers: [],
			problems: [],
			warnings: []
		},
		history: NO_HISTORY,
		plan: NO_PLAN,
		reused: [],
		outage: void 0,
		created: void 0,
		open: [],
		waited: [],
		analysed: [],
		stateFile: "",
		skipped: void 0,
		causes: [],
		isCancelled: false
	};
}
function causesOf(error, { open }) {
	if (error instanceof GateError) return error.causes;
	if (error instanceof ServiceError) return [explain(error)];
	if (error instanceof GitHubError) return [{
		reason: "github",
		message: error.message,
		fix: error.fix
	}];
	if (error instanceof Interruption) return [cancelledCause(error, open[0]?.submissionId)];
	return [{
		reason: "internal",
		message: `The action itself failed: ${messageOf(error)}`,
		fix: "This is a defect of the action, not of your files. Please report it with this message and the end of the log."
	}];
}
function cancelledCause({ signalName }, submissionId) {
	if (submissionId === void 0) return {
		reason: "cancelled",
		message: `The run was cancelled (${signalName}) before anything was submitted.`,
		fix: "Nothing was billed. Re-run the job."
	};
	return {
		reason: "cancelled",
		message: `The run was cancelled (${signalName}) while the service was analysing submission ${submissionId}.`,
		fix: "The analysis goes on at the service.",
		submission: "open"
	};
}
// src/verdict/judge-issues.ts
function judgeIssues(issues, content, rules) {
	const added = addedIssues(issues, content, rules);
	return issues.map((issue) => {
		const isNew = added?.has(issue);
		const waiver = acceptanceOf(rules.waivers?.waiverFor(issue, content.paths));
		const standing = standingOf(issue, {
			isNew,
			waiver
		}, rules);
		return {
			...issue,
			standing,
			isNew,
			waiver,
			failsGate: standing === "active" && reaches(issue.severity, rules.failOnSeverity)
		};
	}).toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
}
function acceptanceOf(waiver) {
	return waiver && {
		owner: waiver.owner,
		reason: waiver.reason,
		expires: waiver.expires
	};
}
function standingOf(issue, { isNew, waiver }, rules) {
	if (isIgnored(issue, rules)) return "ignored";
	if (waiver) return "waived";
	return rules.failOnIssues === "new" && isNew === false ? "known" : "active";
}
function reaches(severity, threshold) {
	return threshold !== "never" && severityRank(severity) <= severityRank(threshold);
}
function isIgnored({ status }, { ignoreStatuses }) {
	return ignoreStatuses.includes(status.toUpperCase());
}
function addedIssues(issues, { sha256, paths }, rules) {
	const { baseline } = rules;
	if (!baseline) return void 0;
	const isOpen = (issue) => !isIgnored(issue, rules);
	const { open = [], ignored = [] } = Object.groupBy(issues, (issue) => isOpen(issue) ? "open" : "ignored");
	return paths.reduce((added, path) => {
		const file = baseline.fileAt(path, sha256);
		if (!file || file.sha256 === sha256) return added.union(compare(issues, file?.issues ?? []).added);
		return added.union(compare(open, file.issues.filter(isOpen)).added).union(compare(ignored, file.issues).added);
	}, new Set());
}
// src/verdict/judge.ts
function judge(found, policy) {
	const contents = judgeContents(found, policy);
	const causes = causesOfError(found, contents);
	if (contents.some(({ issues }) => issues.some(({ failsGate }) => failsGate))) return {
		name: "fail",
		reason: "issues",
		isPassing: false,
		causes,
		contents
	};
	if (found.skipped) {
		const { cause } = found.skipped;
		return {
			name: "skipped",
			reason: cause.reason,
			isPassing: true,
			causes: [cause],
			contents
		};
	}
	const [first] = causes;
	if (!first) return {
		name: "pass",
		reason: "",
		isPassing: true,
		causes,
		contents
	};
	const unforgivable = causes.find((cause) => !isServiceFault(cause));
	const isForgiven = policy.onServiceError === "warn" && !unforgivable && !found.isCancelled;
	return {
		name: "error",
		reason: (unforgivable ?? first).reason,
		isPassing: isForgiven,
		causes,
		contents
	};
}
function isServiceFault({ reason }) {
	return reason === "service" || reason === "timeout";
}
function judgeContents({ plan, reused, analysed, history, waivers }, policy) {
	const analyses = new Map([...reused, ...analysed].map((analysis) => [analysis.content.sha256, analysis]));
	const rules = {
		...policy,
		baseline: history.baseline,
		waivers
	};
	return plan.contents.map(({ content, source }) => {
		const analysis = analyses.get(content.sha256);
		return {
			content,
			source,
			analysis,
			issues: judgeIssues(analysis?.issues ?? [], content, rules)
		};
	});
}
function causesOfError({ causes, reused, analysed, skipped }, contents) {
	const known = new Set([...causes, ...[...reused, ...analysed].flatMap((analysis) => analysis.causes)]);
	if (known.size > 0 || skipped) return [...known];
	return contents.filter(({ analysis }) => analysis?.outcome !== "judged").map(({ content }) => unexplained(content));
}
function unexplained({ paths: [path] }) {
	return {
		reason: "internal",
		message: "The file was not judged, and no step reported why.",
		fix: "This is a defect of the action. Re-run the job and please report it.",
		...path !== void 0 && { path }
	};
}
// src/publish/outputs.ts
const NO_FILES = {
	reportDir: "",
	sarifFile: "",
	stateFile: ""
};
function outputs(report, files) {
	const { counts } = report;
	return {
		verdict: report.verdict,
		reason: report.reason,
		mode: report.mode,
		"submission-id": report.submission.id,
		"submission-status": report.submission.status,
		"issue-count": String(counts.issues),
		"critical-count": String(counts.bySeverity.CRITICAL),
		"major-count": String(counts.bySeverity.MAJOR),
		"minor-count": String(counts.bySeverity.MINOR),
		"info-count": String(counts.bySeverity.INFO),
		"new-issue-count": String(counts.newIssues),
		"highest-severity": report.highestSeverity,
		"files-matched": String(counts.filesMatched),
		"files-submitted": String(counts.filesSubmitted),
		"files-reused": String(counts.filesReused),
		"assets-failed": String(counts.assetsFailed),
		"report-dir": files.reportDir,
		"sarif-file": files.sarifFile,
		"state-file": files.stateFile
	};
}
// src/publish/post-comment.ts
const TRIES = 2;
async function writeComment(report, { inputs, context, api, log }) {
	const { pullRequest } = context;
	const { comment: mode, dryRun } = inputs;
	if (mode === "never" || dryRun || !pullRequest) return;
	if (pullRequest.number === void 0) {
		log.warning("No comment was written: for a fork, GitHub does not say which pull request a `workflow_run` belongs to. If you want a comment, run the gate on `pull_request_target`.");
		return;
	}
	const marker = `media-compliance-gate ${gateId({
		...inputs,
		...context
	})}`;
	const comment = {
		pullRequest: pullRequest.number,
		headSha: pullRequest.headSha,
		marker,
		body: renderComment(report, marker),
		shouldCreate: mode === "always" || !report.isPassing
	};
	try {
		for (let attempt = 1;; attempt++) try {
			log.info(await keepUpToDate(comment, api));
			return;
		} catch (error) {
			if (!(error instanceof GitHubError && error.trouble === "unavailable" && attempt < TRIES)) throw error;
		}
	} catch (error) {
		if (!(error instanceof Interruption)) log.warning(`${describeFailure$1(error, context)} The verdict stands.`);
	}
}
async function keepUpToDate(comment, api) {
	const { pullRequest, headSha, marker, body, shouldCreate } = comment;
	const existing = await findOwn(await api.comments(pullRequest), marker, async () => await api.ownLogin());
	if (!existing && !shouldCreate) return "No comment was needed on the pull request.";
	if ((await api.pullRequest(pullRequest)).headSha !== headSha) return "The pull request has a newer commit: its comment is left to the run of that commit.";
	if (!existing) {
		await api.createComment(pullRequest, body);
		return "Wrote a comment on the pull request.";
	}
	await api.updateComment(existing.id, body);
	return "Updated the comment on the pull request.";
}
async function findOwn(comments, marker, ownLogin) {
	const marked = comments.filter(({ body }) => body?.trimStart().startsWith(markerLine(marker)));
	if (marked.length === 0) return void 0;
	const own = await ownLogin();
	return marked.find(({ user }) => user?.login === `${own}[bot]`) ?? marked.find(({ user }) => user?.login === own);
}
function describeFailure$1(error, { event, pullRequest }) {
	if (!(error instanceof GitHubError)) return `Could not write the comment: ${error instanceof Error ? error.message : String(error)}.`;
	if (error.trouble === "permission" && pullRequest?.isFork && event === "pull_request") return `${error.message} GitHub gives pull requests from forks a token that cannot write; the summary of the run has the same text.`;
	return `${error.message} ${error.fix}`;
}
// src/github/artifacts.ts
const STALL_MS = 3e4;
const MAX_MS$1 = 12e4;
var ArtifactError = class extends Error {
	name = "ArtifactError";
	problem;
	constructor(problem, message, options) {
		super(message, options);
		this.problem = problem;
	}
};
async function uploadArtifact({ name, files, retentionDays }) {
	await upload(name, files, retentionOption(retentionDays));
}
async function uploadPage(file, retentionDays) {
	try {
		await upload(external_node_path_namespaceObject.basename(file), [file], {
			...retentionOption(retentionDays),
			skipArchive: true
		});
		return true;
	} catch (error) {
		if (error instanceof ArtifactError && error.problem === "no-answer") throw error;
		return false;
	}
}
async function deleteArtifact(name) {
	await inTime((await loadClient()).deleteArtifact(name), "delete the artifact");
}
async function loadClient() {
	process.env["ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS"] ??= String(STALL_MS);
	const { DefaultArtifactClient } = await Promise.all(/* import() */[__nccwpck_require__.e(739), __nccwpck_require__.e(564), __nccwpck_require__.e(613)]).then(__nccwpck_require__.bind(__nccwpck_require__, 613));
	return new DefaultArtifactClient();
}
function retentionOption(days) {
	if (days === void 0) return {};
	const max = Number.parseInt(process.env["GITHUB_RETENTION_DAYS"] ?? "", 10) || days;
	return { retentionDays: Math.min(days, max) };
}
async function upload(name, files, options) {
	const client = await loadClient();
	try {
		const [first = ""] = files;
		await inTime(client.uploadArtifact(name, [...files], external_node_path_namespaceObject.dirname(first), options), "take the artifact");
	} catch (error) {
		throw toArtifactError(error);
	}
}
async function inTime(work, operation) {
	const { promise: tooLate, reject } = Promise.withResolvers();
	const error = new ArtifactError("no-answer", `GitHub did not ${operation} within ${MAX_MS$1 / 1e3} s`);
	const timer = setTimeout(() => reject(error), MAX_MS$1);
	try {
		return await Promise.race([work, tooLate]);
	} finally {
		clearTimeout(timer);
	}
}
function toArtifactError(error) {
	if (error instanceof ArtifactError) return error;
	const message = error instanceof Error ? error.message || `the upload failed (${error.name})` : String(error);
	if (/\(409\)|already exists/.test(message)) return new ArtifactError("name-taken", message, { cause: error });
	if (/quota has been hit|insufficient usage/i.test(message)) return new ArtifactError("storage-full", "the storage quota for artifacts is used up. Delete old artifacts or packages, or lower `retention-days` and `reuse-days`", { cause: error });
	return new ArtifactError("other", message, { cause: error });
}
// src/lib/folders.ts
async function assertNoSymlink({ path: target, workspace, input }) {
	const inside = external_node_path_namespaceObject.relative(workspace, target);
	if (inside === "" || inside.startsWith("..") || external_node_path_namespaceObject.isAbsolute(inside)) return;
	let current = workspace;
	for (const part of inside.split(external_node_path_namespaceObject.sep)) {
		current = external_node_path_namespaceObject.join(current, part);
		if (!await isSymlink(current)) continue;
		const shown = external_node_path_namespaceObject.relative(workspace, current).replaceAll(external_node_path_namespaceObject.sep, "/");
		throw new GateError({
			reason: "bad-input",
			message: `The path in \`${input}\` leads through a symbolic link in the workspace: ${shown}.`,
			fix: `Remove the link ${shown}, or set \`${input}\` to a path without links. Nothing was written and nothing was sent.`,
			path: shown
		});
	}
}
async function isSymlink(file) {
	try {
		return (await (0,promises_namespaceObject.lstat)(file)).isSymbolicLink();
	} catch {
		return false;
	}
}
function claimFolder(temp, fallback, name) {
	if (temp === "") return external_node_path_namespaceObject.join(fallback, name);
	for (let number = 1;; number++) {
		const folder = external_node_path_namespaceObject.join(temp, number === 1 ? name : `${name}-${number}`);
		try {
			(0,external_node_fs_.mkdirSync)(folder);
			return folder;
		} catch (error) {
			if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return folder;
		}
	}
}
// src/publish/report-folder.ts
function claimReportTarget({ inputs, context, hasArtifacts }) {
	const id = stepId({
		...context,
		...inputs
	}).slice(0, 8);
	const claimed = claimFolder(context.temp, (0,external_node_os_.tmpdir)(), `${inputs.name}-report-${id}`);
	const name = external_node_path_namespaceObject.basename(claimed);
	const folder = inputs.reportDir === void 0 ? claimed : external_node_path_namespaceObject.resolve(context.workspace, inputs.reportDir);
	const isUploaded = inputs.reportArtifact && hasArtifacts && !context.isGhes;
	return {
		folder,
		artifact: isUploaded ? name : void 0,
		description: isUploaded ? `artifact ${pageName(name)} of this run` : folder
	};
}
async function writeReports(report, { folder, searchRoot, workspace }) {
	const media = await readPageMedia(report.assets, searchRoot);
	const files = [];
	for (const { name, pieces } of reportFiles(report, media)) {
		const file = external_node_path_namespaceObject.join(folder, name);
		await assertNoSymlink({
			path: file,
			workspace,
			input: "report-dir"
		});
		await (0,promises_namespaceObject.mkdir)(folder, { recursive: true });
		await (0,promises_namespaceObject.writeFile)(file, pieces());
		files.push(file);
	}
	return files;
}
const REPORT_RETENTION_DAYS = 30;
async function uploadReports({ artifact, folder }, files, retentionDays = REPORT_RETENTION_DAYS) {
	if (artifact === void 0) return;
	const page = external_node_path_namespaceObject.join(folder, HTML_NAME);
	const copy = external_node_path_namespaceObject.join(await (0,promises_namespaceObject.mkdtemp)(external_node_path_namespaceObject.join((0,external_node_os_.tmpdir)(), "gate-page-")), pageName(artifact));
	await (0,promises_namespaceObject.copyFile)(page, copy);
	await uploadArtifact({
		name: artifact,
		files: await uploadPage(copy, retentionDays) ? files.filter((file) => file !== page) : files,
		retentionDays
	});
}
function pageName(artifact) {
	return `${artifact}.html`;
}
async function readPageMedia(assets, searchRoot) {
	const media = new Map();
	for (const asset of mediaToEmbed(assets)) {
		const bytes = await readChecked(asset, searchRoot);
		if (bytes) media.set(asset.sha256, {
			mime: asset.mime,
			bytes
		});
	}
	return media;
}
async function readChecked({ paths, size, sha256 }, searchRoot) {
	const read = async (handle) => {
		const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size) });
		const hash = (0,external_node_crypto_.createHash)("sha256").update(buffer).digest("hex");
		return bytesRead === size && hash === sha256 ? buffer : void 0;
	};
	for (const file of paths.slice(0, 3)) try {
		const bytes = await withFile({
			path: file,
			absolutePath: external_node_path_namespaceObject.join(searchRoot, file)
		}, read);
		if (bytes) return bytes;
	} catch (error) {
		if (!(error instanceof GateError)) throw error;
	}
}
// src/publish/publish.ts
async function publish(judged, options) {
	const { found, inputs, runner, github, context } = options;
	const { log } = runner;
	const target = claimReportTarget({
		inputs,
		context,
		hasArtifacts: runner.hasArtifacts
	});
	const report = {
		...judged,
		fullReport: target.description
	};
	for (const notice of report.notices) log.info(`Note: ${notice}`);
	const reports = await attempt(log, "the report files", () => writeReports(report, {
		folder: target.folder,
		searchRoot: inputs.searchRoot,
		workspace: context.workspace
	}));
	await attempt(log, "the job summary", () => runner.writeSummary(renderSummary(report)));
	if (!found.isCancelled) {
		if (reports) await attempt(log, "the report artifact", () => uploadReports(target, reports, inputs.retentionDays));
		await writeComment(report, {
			inputs,
			context,
			api: github,
			log
		});
	}
	if (target.artifact !== void 0 && context.isPublic) log.notice("This repository is public, so everyone can read the report artifact. To keep the issues private, set `report-artifact: false`.");
	if (report.verdict === "pass" && report.mode === "sandbox") log.warning(title(report));
	const annotated = found.skipped?.isExpected ? {
		...report,
		causes: []
	} : report;
	for (const annotation of annotations(annotated, runner.spent)) runner.annotate(annotation);
	await attempt(log, "the outputs", async () => {
		const reportDir = reports ? target.folder : "";
		setOutputs(report, {
			reportDir,
			sarifFile: reportDir && external_node_path_namespaceObject.join(reportDir, "report.sarif"),
			stateFile: found.stateFile
		}, runner);
	});
	log.info(receipt(report));
	if (!report.isPassing) runner.fail(failureLine(report));
}
const NO_INPUTS = {
	name: DEFAULTS.name,
	service: void 0,
	policy: {
		failOnSeverity: "CRITICAL",
		failOnIssues: "all",
		ignoreStatuses: [],
		onServiceError: "error"
	},
	issueUrl: void 0,
	waiversFile: void 0,
	stateKey: void 0
};
function publishDefect(error, runner, context) {
	const found = {
		...nothingFound(),
		causes: causesOf(error, nothingFound())
	};
	const report = buildReport({
		found,
		verdict: judge(found, NO_INPUTS.policy),
		inputs: NO_INPUTS,
		context,
		now: new Date()
	});
	setOutputs(report, NO_FILES, runner);
	runner.fail(report.headline);
}
function setOutputs(report, files, runner) {
	for (const [name, value] of Object.entries(outputs(report, files))) runner.output(name, value);
}
async function attempt(log, what, write) {
	try {
		return await write();
	} catch (error) {
		const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
		log.warning(`Could not write ${what}: ${message}. The verdict is not affected.`);
		return;
	}
}
// src/service/collect.ts
const FINAL_READ_MS = 3e4;
const EXTRAS_MS = 15e3;
async function collect(waited, options) {
	const { submission, retries, interruption } = waited;
	const { submissionId, contents } = submission;
	const { client, mode } = options;
	const startedAt = Date.now();
	const deadline = {
		...options.deadline,
		until: Math.max(options.deadline.until, startedAt + FINAL_READ_MS)
	};
	const readings = new Map();
	let response = waited.response;
	for (;;) {
		await readAll(response?.assets ?? (submission.assetIds ?? []).map(unlistedAsset));
		const byName = Map.groupBy(readings.values(), ({ filename }) => filename);
		const facts = {
			submissionId,
			mode,
			retries,
			interruption,
			readings: [...readings.values()]
		};
		const analyses = contents.map((content) => analysisOf$1(content, byName.get(content.name) ?? [], facts));
		const isSettled = analyses.every(({ outcome }) => outcome !== "unjudged");
		const isOver = interruption !== void 0 || stopError() !== void 0 || Date.now() - startedAt >= 2e4;
		if (isSettled || isOver) return await withExtras(analyses, client, deadline);
		await sleep(READ_AGAIN_MS, deadline.signal);
		response = await listAgain(response);
	}
	async function readAll(assets) {
		await concurrently(assets.filter(({ assetId }) => {
			const before = readings.get(assetId);
			return !before || !isFinal(before);
		}), 8, async (listed) => {
			const before = readings.get(listed.assetId);
			const error = stopError();
			const reading = error ? {
				...before ?? unreadAsset(listed),
				error
			} : await readAsset(listed, {
				client,
				submissionId,
				mode,
				deadline
			}, before);
			readings.set(listed.assetId, reading);
		});
	}
	function isFinal(reading) {
		return reading.status === "failed" || !reading.error && missingFact(reading, mode) === void 0;
	}
	function stopError() {
		return [...readings.values()].find(({ error }) => error?.stopsReading)?.error;
	}
	async function listAgain(before) {
		try {
			return await client.readSubmission(submissionId, deadline);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.endsRun) throw error;
			return before;
		}
	}
}
async function withExtras(analyses, client, deadline) {
	const limit = {
		...deadline,
		until: Math.min(deadline.until, Date.now() + EXTRAS_MS)
	};
	const [first] = analyses;
	const isVersioned = analyses.some(({ versionNumber = 1 }) => versionNumber > 1);
	let isAvailable = true;
	const versions = first && isVersioned ? await attempt(() => client.readVersions(first.submissionId, limit)) : void 0;
	return await concurrently(analyses, 8, async (analysis) => {
		const { submissionId, assetId, issues, versionNumber = 1, versionGroupId } = analysis;
		const topics = assetId !== void 0 && issues.length > 1 ? await attempt(() => client.readTopics(submissionId, assetId, limit)) : void 0;
		return {
			...analysis,
			topics: readTopics(topics).items,
			versionCount: versionNumber > 1 ? countVersions(versions, versionGroupId) : void 0
		};
	});
	async function attempt(read) {
		if (!isAvailable) return void 0;
		try {
			return await read();
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			if (error.stopsReading) isAvailable = false;
			return;
		}
	}
}
// src/service/fire-event.ts
const MAX_MS = 6e4;
async function fireEvent(event, { client, log, signal }) {
	const { eventType, submissionId } = event;
	log.info(`Firing ${eventType} for submission ${submissionId}: it reaches every active subscription of the workspace`);
	try {
		const dispatched = await client.fireEvent(event, {
			signal,
			until: Date.now() + MAX_MS
		});
		log.info(`${eventType}: dispatched to ${plural(dispatched, "subscription")}`);
	} catch (error) {
		log.warning(`The sandbox event was not fired: ${messageOf(error)}.`);
	}
}
// src/http/connection-failure.ts
const MESSAGES = {
	ECONNREFUSED: "connection refused",
	EAI_AGAIN: "the host name could not be looked up",
	EHOSTUNREACH: "the host cannot be reached",
	ENETUNREACH: "the network cannot be reached",
	EADDRNOTAVAIL: "no local address was free",
	ECONNRESET: "connection reset",
	EPIPE: "connection closed while sending",
	ETIMEDOUT: "connection timed out",
	UND_ERR_CONNECT_TIMEOUT: "connection timed out",
	UND_ERR_HEADERS_OVERFLOW: "the headers of the answer were too large",
	UND_ERR_PRX_CONN: "the proxy closed the connection",
	UND_ERR_PRX_TLS: "the proxy could not be reached over TLS",
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer was cut off",
	UND_ERR_SOCKET: "connection closed before the answer was complete"
};
const NOT_HTTP = /^HPE_/;
const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
const LASTING_TLS_FAILURE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION_NUMBER)/;
const UNTRUSTED = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;
const PROXY_ANSWER = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;
const OUR_DEFECTS = /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_)/;
function asConnectionError(error, isConnected) {
	if (error instanceof ConnectionError || error instanceof GateError || !(error instanceof Error)) return error;
	const options = { cause: error };
	const proxyStatus = PROXY_ANSWER.exec(error.message)?.slice(1).find(Boolean);
	if (proxyStatus !== void 0) return new ConnectionError(`the proxy answered ${proxyStatus}`, refusedByProxy(proxyStatus), options);
	const failure = systemFailure(error);
	if (failure === void 0 || OUR_DEFECTS.test(failure.code)) return error;
	return new ConnectionError(messageFor(failure), factsOf(failure, isConnected), options);
}
function messageFor(failure) {
	const { code } = failure;
	if (code === "ENOTFOUND") return `the host name ${hostOf(failure)} does not exist`;
	if (TLS_FAILURE.test(code)) return `the TLS connection failed (${code})`;
	if (NOT_HTTP.test(code)) return `the answer was not valid HTTP (${code})`;
	return (MESSAGES[code] ?? `connection failed (${code})`) + placeOf(failure);
}
function factsOf(failure, isConnected) {
	if (isConnected) return { maybeReceived: true };
	if (failure.code === "ENOTFOUND") return {
		maybeReceived: false,
		unknownHost: hostOf(failure)
	};
	return TLS_FAILURE.test(failure.code) ? failedHandshake(failure.code) : { maybeReceived: false };
}
function refusedByProxy(status) {
	return {
		maybeReceived: false,
		isLasting: Number(status) < 500,
		fix: status === "407" ? "The proxy asks for credentials. Add them to the address in `HTTPS_PROXY` (`http://user:password@proxy.example:3128`), from a secret." : "Ask the administrator of the proxy to allow this address, or add the host to `NO_PROXY`."
	};
}
function failedHandshake(code) {
	const fix = UNTRUSTED.test(code) ? "This machine does not trust the certificate. If a company proxy or a private authority issued it, store the certificate of that authority in a file and set `NODE_EXTRA_CA_CERTS` to its path in the `env` of the job." : "Check that the address is correct and that its certificate is valid and issued for this host.";
	return {
		maybeReceived: false,
		isLasting: LASTING_TLS_FAILURE.test(code),
		fix
	};
}
function systemFailure(error) {
	if (!(error instanceof Error)) return void 0;
	if (error instanceof AggregateError && error.errors.length > 0) return systemFailure(error.errors[0]);
	if ("code" in error && typeof error.code === "string") return {
		code: error.code,
		error
	};
	return systemFailure(error.cause);
}
function hostOf({ error }) {
	return "hostname" in error && typeof error.hostname === "string" ? error.hostname : "";
}
function placeOf(failure) {
	const { error } = failure;
	const host = hostOf(failure);
	if (host !== "") return ` (${host})`;
	if ("address" in error && typeof error.address === "string") {
		const port = "port" in error && typeof error.port === "number" ? `:${error.port}` : "";
		return ` (${error.address}${port})`;
	}
	return "";
}
// src/http/request-timer.ts
var RequestTimer = class {
	#timeouts;
	#controller = new AbortController();
	#stall;
	#answer;
	#total;
	#isConnected = false;
	#hasAnswer = false;
	#hasEnded = false;
	constructor(timeouts) {
		this.#timeouts = timeouts;
		const { connectMs, totalMs } = timeouts;
		this.#stall = this.#start(connectMs, () => "no connection for", true);
		if (totalMs !== void 0) this.#total = this.#start(totalMs, () => "no complete answer within", false);
	}
	get signal() {
		return this.#controller.signal;
	}
	get isConnected() {
		return this.#isConnected;
	}
	connected() {
		this.#isConnected = true;
		this.sent();
	}
	sent() {
		if (!this.#hasAnswer) this.#restartStall("the other side stopped taking the data for");
	}
	sentAll() {
		if (this.#hasAnswer) return;
		clearTimeout(this.#stall);
		this.#startAnswer();
	}
	received() {
		this.#hasAnswer = true;
		this.#startAnswer();
		this.#restartStall("the answer stopped arriving for");
	}
	end() {
		this.#hasEnded = true;
		for (const timer of [
			this.#stall,
			this.#answer,
			this.#total
		]) clearTimeout(timer);
	}
	#restartStall(what) {
		clearTimeout(this.#stall);
		this.#stall = this.#start(this.#timeouts.stallMs, () => what, true);
	}
	#startAnswer() {
		this.#answer ??= this.#start(this.#timeouts.answerMs, () => this.#hasAnswer ? "the answer was not complete after" : "no answer for", true);
	}
	#start(milliseconds, what, isSilence) {
		if (this.#hasEnded) return void 0;
		return setTimeout(() => {
			const message = `${what()} ${Math.round(milliseconds / 1e3)} s`;
			const facts = {
				maybeReceived: this.#isConnected,
				...isSilence && { silentMs: milliseconds }
			};
			this.#controller.abort(new ConnectionError(message, facts));
		}, milliseconds);
	}
};
// src/http/create-http.ts
const KEEP_ALIVE_MS = 4e3;
const SOCKET_CONNECT_MS = 2e4;
function createHttp(env = process.env) {
	const proxies = proxySettings(env);
	const shared = new Map();
	const sharedAgent = (protocol) => {
		const agent = shared.get(protocol) ?? createAgent(protocol, proxies);
		shared.set(protocol, agent);
		return agent;
	};
	return {
		async send(request) {
			const { protocol } = new URL(request.url);
			if (!request.freshConnection) return await exchange(request, await sharedAgent(protocol));
			const agent = await createAgent(protocol, proxies);
			try {
				return await exchange(request, agent);
			} finally {
				agent.destroy();
			}
		},
		async close() {
			await Promise.all([...shared.values()].map(async (agent) => await (await agent).destroy()));
		}
	};
}
async function createAgent(protocol, { http, https, except }) {
	const { EnvHttpProxyAgent } = await __nccwpck_require__.e(/* import() */ 739).then(__nccwpck_require__.bind(__nccwpck_require__, 739)).then((n) => (0,rolldown_runtime.i)(n.t(), 1));
	return new EnvHttpProxyAgent({
		allowH2: false,
		keepAliveTimeout: KEEP_ALIVE_MS,
		connectTimeout: SOCKET_CONNECT_MS,
		httpProxy: protocol === "http:" ? http : "",
		httpsProxy: protocol === "https:" ? https : "",
		noProxy: except
	});
}
async function exchange(request, agent) {
	const timer = new RequestTimer(request.timeouts);
	const signal = AbortSignal.any([request.signal, timer.signal]);
	const outcome = Promise.withResolvers();
	let running;
	const abort = () => {
		outcome.reject(signal.reason);
		running?.abort(signal.reason);
	};
	const answer = new AnswerReader();
	try {
		signal.throwIfAborted();
		signal.addEventListener("abort", abort);
		agent.dispatch(dispatchOptions(request), {
			onRequestStart(controller) {
				running = controller;
				if (signal.aborted) abort();
				else timer.connected();
			},
			onBodySent: () => timer.sent(),
			onRequestSent: () => timer.sentAll(),
			onResponseStart(_controller, status, headers) {
				if (status < 200) return;
				timer.received();
				answer.begin(status, headers);
			},
			onResponseData(controller, piece) {
				timer.received();
				answer.add(piece);
				if (!answer.isTruncated) return;
				outcome.resolve(answer.read());
				controller.abort(new RangeError("The answer is too large."));
			},
			onResponseEnd: () => outcome.resolve(answer.read()),
			onResponseError: (_controller, error) => outcome.reject(error)
		});
		return await outcome.promise;
	} catch (error) {
		request.signal.throwIfAborted();
		throw asConnectionError(error, timer.isConnected);
	} finally {
		signal.removeEventListener("abort", abort);
		timer.end();
		if (typeof request.body === "object") await request.body.close();
	}
}
function dispatchOptions({ url, method, headers, body }) {
	const { origin, pathname, search } = new URL(url);
	return {
		origin,
		path: pathname + search,
		method,
		headers,
		body: typeof body === "object" ? body.pieces : body ?? null,
		headersTimeout: 0,
		bodyTimeout: 0
	};
}
var AnswerReader = class {
	#head = {
		status: 0,
		retryAfter: void 0,
		location: void 0
	};
	#pieces = [];
	#size = 0;
	begin(status, headers) {
		this.#head = {
			status,
			retryAfter: single(headers["retry-after"]),
			location: single(headers["location"])
		};
	}
	add(piece) {
		this.#size += piece.length;
		if (!this.isTruncated) this.#pieces.push(piece);
	}
	get isTruncated() {
		return this.#size > MAX_ANSWER_BYTES;
	}
	read() {
		const text = Buffer.concat(this.#pieces).toString("utf8");
		return {
			...this.#head,
			text,
			...this.isTruncated && { isTruncated: true }
		};
	}
};
function single(header) {
	return typeof header === "object" ? header[0] : header;
}
function proxySettings(env) {
	return {
		http: addressIn(env, ["http_proxy", "HTTP_PROXY"]),
		https: addressIn(env, ["https_proxy", "HTTPS_PROXY"]),
		except: env["no_proxy"] || env["NO_PROXY"] || ""
	};
}
function addressIn(env, names) {
	const name = names.find((each) => env[each]?.trim());
	if (name === void 0) return "";
	const value = env[name]?.trim() ?? "";
	const url = URL.parse(value.includes("://") ? value : `http://${value}`);
	if (url && ["http:", "https:"].includes(url.protocol)) return url.href;
	throw new GateError({
		reason: "bad-input",
		message: `The environment variable ${name} is not the address of an HTTP proxy.`,
		fix: `Set ${name} to an address such as \`http://proxy.example:3128\`, or unset it if there is no proxy.`
	});
}
// src/service/session.ts
const VERSION = "0.1.0";
function openSession(access, runId, log) {
	const http = createHttp();
	return {
		access,
		http,
		client: new ServiceClient({
			access,
			http,
			userAgent: `media-compliance-gate/${VERSION} (run ${runId || "local"})`,
			log
		})
	};
}
// src/service/creation-failure.ts
const MAX_CANDIDATES = 20;
const ABOUT_SOME_FILE = [
	403,
	413,
	415
];
function explainCreation(error, attempt) {
	const { uploads } = attempt;
	const cause = explain(error);
	if (mayHaveArrived(error)) return [explainUncertainty(error, cause, attempt)];
	if (ABOUT_SOME_FILE.includes(error.status)) return explainRefusedFile(error, cause, uploads);
	return [cause.reason === "refused" || cause.reason === "bad-input" ? {
		...cause,
		message: `${cause.message} ${sizeOf(uploads)}`
	} : cause];
}
function mayHaveArrived({ operation, failure, status }) {
	if (operation !== "creating the submission") return false;
	if (failure.kind === "connection") return failure.error.maybeReceived;
	return failure.kind === "unreadable" || status !== void 0 && status >= 500;
}
function explainUncertainty(error, cause, attempt) {
	const look = `Look in the service for a submission with ${identify(attempt)}. If it is there, read its results there: a re-run submits and bills all of it again. If it is not there, re-run the job.`;
	return {
		reason: attempt.wasStopped ? "cancelled" : cause.reason,
		message: `The service did not confirm the submission (${describeFailure(error)}). It may exist and be billed.`,
		fix: attempt.wasStopped ? look : `${error.message}. ${look}`,
		submission: "unconfirmed"
	};
}
function describeFailure({ failure }) {
	switch (failure.kind) {
		case "status": return String(failure.status);
		case "connection": return failure.error.what;
		case "unreadable": return "its response could not be read";
	}
}
function identify({ uploads, metadata, at }) {
	const time = at.toISOString().slice(0, 16).replace("T", " ");
	const named = ["repository", "commit"].flatMap((key) => {
		const value = metadata?.[key];
		return typeof value === "string" && value !== "" ? [`${key} ${value}`] : [];
	});
	const origin = named.length === 0 ? "" : `, with the metadata ${named.join(" and ")}`;
	return `${plural(uploads.length, "asset")}, created about ${time} UTC${origin}`;
}
function explainRefusedFile({ failure }, cause, uploads) {
	const message = failure.kind === "status" ? failure.message : "";
	const named = uploads.filter(({ content, blobPath }) => message.includes(content.name) || message.includes(blobPath));
	const refused = uploads.length === 1 ? uploads : named;
	const paths = uploads.map(({ content }) => content.file.path);
	if (refused.length > 0) return refused.map(({ content }) => ({
		...cause,
		path: content.file.path
	}));
	return [{
		...cause,
		message: `${cause.message} ${sizeOf(uploads)} The service does not say which file it means: it is one of ${formatList(paths, MAX_CANDIDATES)}.`
	}];
}
function sizeOf(uploads) {
	return `The submission held ${plural(uploads.length, "asset")}.`;
}
// src/service/submit.ts
async function main_submit(uploads, options, { client, log, deadline }) {
	refuseSharedPaths(uploads);
	const at = new Date();
	try {
		return await createLinked();
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		throw new GateError(explainCreation(error, {
			uploads,
			metadata: options.metadata,
			at,
			wasStopped: deadline.signal.aborted
		}), { cause: error });
	}
	async function createLinked() {
		const links = options.previousSubmissionIds;
		try {
			return await create(links);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.status !== 404 || links.size === 0) throw error;
			const ids = [...new Set(links.values())];
			const { missing } = await readSubmissions(ids.map((submissionId) => ({
				submissionId,
				assetIds: [],
				isUrgent: true
			})), {
				client,
				deadline
			});
			const dropped = missing.size > 0 ? missing : new Set(ids);
			log.warning(`The service does not find the earlier version of some files (${formatList([...dropped])}): they are sent as first versions.`);
			return await create(new Map([...links].filter(([, id]) => !dropped.has(id))));
		}
	}
	async function create(previousSubmissionIds) {
		const response = await createWithMetadata(compose(uploads, {
			...options,
			previousSubmissionIds
		}));
		const { submissionId } = response;
		const workflowId = response.workflowId ?? void 0;
		const workflow = workflowId === void 0 ? "" : ` (workflow ${workflowId})`;
		log.info(`Submission ${submissionId}${workflow} created with ${plural(uploads.length, "asset")}`);
		return {
			submissionId,
			createdAt: new Date().toISOString(),
			contents: uploads.map(({ content }) => content),
			assetIds: response.assets.map(({ assetId }) => assetId),
			workflowId,
			previousSubmissionIds
		};
	}
	async function createWithMetadata(submission) {
		const { metadata, ...bare } = submission;
		try {
			return await client.createSubmission(submission, options.simulationDelaySeconds, deadline);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.status !== 422 || !metadata) throw error;
			log.warning(`${error.message}. Trying once more without metadata.`);
			return await client.createSubmission(bare, options.simulationDelaySeconds, deadline);
		}
	}
}
function withMoved(open, moved) {
	const names = new Set(moved.contents.map(({ name }) => name));
	return [...open.map((each) => ({
		...each,
		contents: each.contents.filter(({ name }) => !names.has(name))
	})), moved];
}
function metadataOf(given, { repository, commit, ref, runUrl }) {
	return given === "none" ? void 0 : {
		repository,
		commit,
		ref,
		runUrl,
		...given
	};
}
function compose(uploads, options) {
	const { metadata, sidekickIds, previousSubmissionIds } = options;
	return {
		assets: uploads.map(({ blobPath, content }) => {
			const previousSubmissionId = previousSubmissionIds.get(content.sha256);
			return previousSubmissionId === void 0 ? { blobPath } : {
				blobPath,
				previousSubmissionId
			};
		}),
		...sidekickIds && { sidekickIds },
		...metadata && { metadata }
	};
}
function refuseSharedPaths(uploads) {
	const causes = [...Map.groupBy(uploads, ({ blobPath }) => blobPath).values()].filter((group) => group.length > 1).map((group) => {
		return {
			reason: "refused",
			message: `The service stored different files under one path: ${group.map(({ content }) => content.paths[0]).join(", ")}.`,
			fix: "Nothing was submitted or billed. Contact the service's support: it must keep different file names apart."
		};
	});
	if (causes.length > 0) throw new GateError(causes);
}
// src/service/wait.ts
const MAX_RETRIES = 2;
const RETRY_EFFECT_MS = 6e4;
const MAX_SILENCE_MS = 6e4;
async function waitForAll(submissions, options) {
	const moved = [];
	const onMoved = async (submission) => {
		moved.push(submission);
		await options.onMoved(submission);
	};
	const waited = await Promise.all(submissions.map((submission) => new Wait(submission, {
		...options,
		onMoved
	}).run()));
	return moved.length === 0 ? waited : [...waited, ...await waitForAll(moved, options)];
}
function pollDelay(waitedMs) {
	return Math.min(Math.max(waitedMs / 8, 1e3), 6e4);
}
var Wait = class {
	#submission;
	#options;
	#startedAt = Date.now();
	#retries = new Map();
	#moved = new Set();
	#response;
	#missingSince;
	#logged = {
		text: "",
		at: 0
	};
	constructor(submission, options) {
		this.#submission = submission;
		this.#options = options;
	}
	async run() {
		const interruption = await this.#poll();
		const contents = this.#submission.contents.filter(({ name }) => !this.#moved.has(name));
		return {
			submission: {
				...this.#submission,
				contents
			},
			response: this.#response,
			retries: this.#retries,
			interruption
		};
	}
	async #poll() {
		const { deadline } = this.#options;
		let pollingSince = this.#startedAt;
		try {
			for (;;) {
				await this.#read();
				const retriesBefore = this.#retries.size;
				if (this.#response && isTerminal(this.#response) && !await this.#hasMoreToCome(this.#response)) return void 0;
				if (this.#retries.size > retriesBefore) pollingSince = Date.now();
				const leftMs = deadline.until - Date.now();
				if (leftMs <= 0) return this.#explainTimeout();
				await sleep(Math.min(leftMs, pollDelay(Date.now() - pollingSince)), deadline.signal);
			}
		} catch (error) {
			if (!(error instanceof ServiceError) || error.endsRun) throw error;
			return this.#explainEnd(error);
		}
	}
	async #read() {
		const { client, deadline } = this.#options;
		try {
			this.#response = await client.readSubmission(this.#submission.submissionId, deadline);
			this.#missingSince = void 0;
			this.#logProgress(this.#response);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.status !== 404) throw error;
			this.#missingSince ??= Date.now();
			if (Date.now() - this.#missingSince >= 2e4) throw error;
		}
	}
	async #hasMoreToCome({ status, assets }) {
		if (status === "complete" && this.#retries.size === 0) return false;
		return (await concurrently(assets.filter(({ issueCount }) => typeof issueCount !== "number"), 8, async (listed) => await this.#isUnfinished(listed))).includes(true);
	}
	async #isUnfinished(listed) {
		const asset = await this.#readAsset(listed.assetId);
		if (!asset) return failureText(listed) === "" && this.#response?.status === "failed";
		if (!(this.#submission.contents.some(({ name }) => name === asset.filename) && !this.#moved.has(asset.filename)) || asset.status === "complete") return false;
		return asset.status === "failed" ? await this.#retry(listed, asset.filename) : true;
	}
	async #readAsset(assetId) {
		const { client, deadline } = this.#options;
		try {
			return await client.readAsset(this.#submission.submissionId, assetId, deadline);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.stopsReading) throw error;
			return;
		}
	}
	async #retry(listed, filename) {
		const before = this.#retries.get(listed.assetId);
		const hasTakenEffect = before !== void 0 && listed.retryCount > before.retryCount;
		if (before && !hasTakenEffect) return this.#awaitEffect(listed.assetId, before);
		const count = before?.count ?? this.#submission.retries ?? 0;
		if (!listed.isRetryable || count >= MAX_RETRIES) return false;
		const { client, deadline, log } = this.#options;
		const { submissionId, contents } = this.#submission;
		const requested = {
			count: count + 1,
			retryCount: listed.retryCount
		};
		try {
			const response = await client.retryAsset(submissionId, listed.assetId, deadline);
			const moved = contents.filter(({ name }) => name === filename);
			log.info(`${moved[0]?.paths[0] ?? filename} failed (${failureText(listed)}); retry ${requested.count} was accepted`);
			this.#retries.set(listed.assetId, {
				...requested,
				until: Date.now() + RETRY_EFFECT_MS,
				problem: void 0
			});
			if (response.submissionId === submissionId) return true;
			this.#moved.add(filename);
			await this.#options.onMoved({
				submissionId: response.submissionId,
				createdAt: new Date().toISOString(),
				contents: moved,
				assetIds: response.assets.map(({ assetId }) => assetId),
				workflowId: response.workflowId ?? void 0,
				retries: requested.count
			});
			return false;
		} catch (error) {
			if (!(error instanceof ServiceError) || error.endsRun) throw error;
			const waitMs = error.status === 409 ? CATCH_UP_MS : 0;
			this.#retries.set(listed.assetId, {
				...requested,
				count,
				until: Date.now() + waitMs,
				problem: error.message
			});
			return waitMs > 0;
		}
	}
	#awaitEffect(assetId, retry) {
		if (Date.now() < retry.until) return true;
		const problem = retry.problem ?? "the service accepted a retry that showed no effect";
		this.#retries.set(assetId, {
			...retry,
			problem
		});
		return false;
	}
	#logProgress({ submissionId, status, progressPercent, errorMessage }) {
		const now = Date.now();
		const text = `${status}${typeof progressPercent === "number" && status === "processing" ? `, ${progressPercent} %` : ""}${errorMessage ? `: ${errorMessage}` : ""}`;
		if (text === this.#logged.text && now - this.#logged.at < MAX_SILENCE_MS) return;
		this.#logged = {
			text,
			at: now
		};
		this.#options.log.info(`Submission ${submissionId}: ${text} (after ${formatDuration(now - this.#startedAt)})`);
	}
	#explainTimeout() {
		const { submissionId } = this.#submission;
		const minutes = Math.max(1, Math.round((Date.now() - this.#startedAt) / 6e4));
		const status = this.#logged.text || "the service gave no status";
		return {
			reason: "timeout",
			message: `The analysis was not finished after ${plural(minutes, "minute")}: ${status} (submission ${submissionId}).`,
			fix: "The service is still analysing.",
			submission: "open"
		};
	}
	#explainEnd(error) {
		const cause = explain(error);
		if (!error.stopsReading) return cause;
		const message = `${cause.message} The service may still be analysing submission ${this.#submission.submissionId}.`;
		return {
			...cause,
			message,
			submission: "open"
		};
	}
};
function formatDuration(milliseconds) {
	const seconds = Math.max(0, Math.round(milliseconds / 1e3));
	return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
// src/state/artifact-store.ts
function createArtifactStore(options) {
	const { log, onPending, signal } = options;
	let claimed;
	return {
		load: async (needs) => await findStates(options, needs),
		async save(kind, document, scopes = [options.binding.scope]) {
			const kept = kind === "open" ? onlyOpen(document) : bounded(document);
			const forgotten = kind === "open" ? void 0 : describeForgotten(document, kept);
			if (forgotten !== void 0) log.warning(forgotten);
			claimed ??= options.claimFolder();
			const folder = claimed;
			const drafts = scopes.map((scope, index) => {
				const binding = {
					...options.binding,
					scope
				};
				return {
					kind,
					file: external_node_path_namespaceObject.join(folder, index === 0 ? kind : `${kind}-${index + 1}`, STATE_FILE),
					names: artifactNames(options.gateName, {
						...binding,
						kind
					}),
					options: {
						...options,
						binding
					}
				};
			});
			for (const draft of drafts) await writeDraft(draft, kept);
			onPending(kind, drafts);
			const uploadAll = async () => {
				for (const [index, draft] of drafts.entries()) {
					await uploadDraft(draft, kept);
					onPending(kind, drafts.slice(index + 1));
				}
			};
			await log.group("Saving the state", async () => await finishInTime(uploadAll(), signal));
			return drafts[0]?.file ?? "";
		}
	};
}
function onlyOpen({ open }) {
	return {
		contents: [],
		paths: [],
		open
	};
}
async function writeDraft({ kind, file, options: { binding, key } }, document) {
	await (0,promises_namespaceObject.mkdir)(external_node_path_namespaceObject.dirname(file), { recursive: true });
	const sealed = seal(document, {
		...binding,
		kind,
		savedAt: new Date().toISOString()
	}, key);
	await (0,promises_namespaceObject.writeFile)(`${file}.tmp`, sealed, { flush: true });
	await (0,promises_namespaceObject.rename)(`${file}.tmp`, file);
}
async function findOwnSaves(kind, options) {
	const { scope, runId } = options.binding;
	const notices = new Notices(false);
	const queries = [kind, `${kind}-2`].map((slot) => queryFor(scope, slot, options));
	const saved = (await Promise.all(queries.map(async (query) => await listArtifacts(query, options, notices)))).flatMap((candidates) => candidates.filter((each) => each.runId === runId).toSorted(byHistory).slice(0, 1));
	return await Promise.all(saved.map(async (candidate) => ({
		name: candidate.name,
		artifactId: candidate.artifact.id,
		state: await readArtifact(candidate, options, notices)
	})));
}
const MAX_TRIES = 16;
const MAX_TRIES_MS = 6e4;
const MAX_UNSEEN = 4;
const PAUSE_MS = 700;
async function uploadDraft(draft, document) {
	const { kind, file, names, options } = draft;
	const unseen = new Map();
	const tryName = async (name) => {
		try {
			await options.upload({
				name,
				file,
				kind
			});
			return true;
		} catch (error) {
			if (!(error instanceof ArtifactError) || error.problem !== "name-taken") throw error;
			unseen.set(name, (unseen.get(name) ?? 0) + 1);
			return false;
		}
	};
	if (await tryName(names[0])) return;
	let all = document;
	let isUploaded = false;
	const deadline = Date.now() + MAX_TRIES_MS;
	for (let attempt = 1; attempt <= MAX_TRIES && Date.now() < deadline; attempt++) {
		const saves = await findOwnSaves(kind, options);
		if (saves.length === 0 ? isUploaded : saves.some(({ state }) => state && contains(state.document, document))) return;
		for (const { name } of saves) unseen.delete(name);
		all = joined([all, ...saves.flatMap(({ state }) => state ? [state.document] : [])]);
		await writeDraft(draft, bounded(all));
		const spare = saves.length === names.length ? spareOf(saves, attempt > MAX_TRIES / 2) : void 0;
		if (spare) await free(spare, options);
		const target = names.find((name) => (name === spare?.name || saves.every((save) => save.name !== name)) && (unseen.get(name) ?? 0) < MAX_UNSEEN);
		if (target !== void 0) isUploaded = await tryName(target);
		await sleep(PAUSE_MS * (.5 + Math.random()), options.signal);
	}
	if (!isUploaded) throw new Error("both names of the artifact are taken, and none of them could be freed");
}
function spareOf([one, two], isLastResort) {
	if (!one?.state || !two?.state) return void 0;
	if (contains(two.state.document, one.state.document)) return one;
	return isLastResort || contains(one.state.document, two.state.document) ? two : void 0;
}
async function free({ name, artifactId }, { api, remove, log }) {
	try {
		if ((await api.artifacts(name)).some(({ id }) => id === artifactId)) await remove(name);
	} catch (error) {
		log.info(`The artifact ${name} stays: ${error instanceof Error ? error.message : String(error)}`);
	}
}
const STOP_GRACE_MS = 5e3;
async function finishInTime(work, signal) {
	const { promise: stopped, reject } = Promise.withResolvers();
	let timer;
	const stop = () => void (timer = setTimeout(() => reject(signal.reason), STOP_GRACE_MS));
	signal.addEventListener("abort", stop, { once: true });
	if (signal.aborted) stop();
	try {
		await Promise.race([work, stopped]);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", stop);
	}
}
const PendingUploads = object({
	uploads: array(object({
		names: tuple([string(), string()]),
		file: string()
	})),
	retentionDays: optional(number())
});
function formatPending(pending, retentionDays) {
	if (pending.length === 0) return "";
	const uploads = pending.map(({ names, file }) => ({
		names,
		file
	}));
	return JSON.stringify({
		uploads,
		retentionDays
	});
}
async function uploadPending(saved, log) {
	if (saved === "") return;
	try {
		const { uploads, retentionDays } = parse$1(PendingUploads, JSON.parse(saved));
		for (const { names, file } of uploads) {
			const uploadAs = async (name) => await uploadArtifact({
				name,
				files: [file],
				retentionDays
			});
			try {
				await uploadAs(names[0]);
			} catch (error) {
				if (!(error instanceof ArtifactError) || error.problem !== "name-taken") throw error;
				await uploadAs(names[1]);
			}
		}
		log.info("The run ended before it had saved its state; it is saved now, and the next run goes on from there.");
	} catch (error) {
		log.warning(`The run ended before it had saved its state, and it cannot be saved now: ${error instanceof Error ? error.message : String(error)}. The next run may send the same files again.`);
	}
}
// src/state/file-store.ts
function createFileStore({ file, workspace, binding, key, log }) {
	const place = `in \`state-file\` (${file})`;
	const { repositoryId, gate, mode } = binding;
	const expected = {
		repositoryId,
		gate,
		mode
	};
	const refuseLinks = async () => await assertNoSymlink({
		path: file,
		workspace,
		input: "state-file"
	});
	return {
		async load() {
			await refuseLinks();
			const none = {
				states: [],
				isFromFile: true,
				isLost: true
			};
			let bytes;
			try {
				bytes = await readState(file);
			} catch (error) {
				const isFirst = isMissing(error);
				const notice = isFirst ? `There is no state yet ${place}, so all files are sent. Later runs send only new and changed files.` : `The state ${place} cannot be read, so all files are sent.`;
				return {
					...none,
					isLost: !isFirst,
					notices: [notice]
				};
			}
			const unsealed = bytes ? unseal(bytes, expected, key) : failure("unreadable");
			return unsealed.ok ? {
				...none,
				states: [unsealed.value],
				isLost: false,
				notices: []
			} : {
				...none,
				notices: [describeRefusal(unsealed.error, place)]
			};
		},
		async save(kind, document) {
			await refuseLinks();
			if (await belongsToOther(file, expected)) {
				if (kind === "state") log.warning(`The state ${place} belongs to another gate, another repository or the other kind of API key, and was left as it is. This run's results were not saved. Give each gate and each kind of key its own \`state-file\`, or delete the file if it is no longer needed.`);
				return "";
			}
			const kept = bounded(document);
			const forgotten = kind === "state" ? describeForgotten(document, kept) : void 0;
			if (forgotten !== void 0) log.warning(forgotten);
			const sealed = seal(kept, {
				...binding,
				kind: "state",
				savedAt: new Date().toISOString()
			}, key);
			await (0,promises_namespaceObject.mkdir)(external_node_path_namespaceObject.dirname(file), { recursive: true });
			const draft = `${file}.${(0,external_node_crypto_.randomUUID)()}.tmp`;
			try {
				await (0,promises_namespaceObject.writeFile)(draft, sealed, {
					flush: true,
					flag: "wx"
				});
				await (0,promises_namespaceObject.rename)(draft, file);
			} catch (error) {
				await (0,promises_namespaceObject.rm)(draft, { force: true });
				throw error;
			}
			return file;
		}
	};
}
async function belongsToOther(file, expected) {
	const bytes = await readState(file).catch(() => void 0);
	return bytes !== void 0 && claimedMismatch(bytes, expected) !== void 0;
}
function isMissing(error) {
	return error instanceof Error && "code" in error && error.code === "ENOENT";
}
async function readState(file) {
	await using handle = await (0,promises_namespaceObject.open)(file);
	const { size } = await handle.stat();
	return size > 67108864 ? void 0 : await handle.readFile();
}
// src/state/choose-store.ts
function chooseStore({ inputs, service, context, api, runner, signal }) {
	const key = signingKey(inputs.stateKey ?? service.apiKey);
	const identity = {
		...context,
		name: inputs.name,
		matrix: inputs.matrix
	};
	const { repositoryId, runId, runAttempt, commit, event, workspace } = context;
	const binding = {
		repositoryId,
		runId,
		runAttempt,
		commit,
		event,
		gate: gateId(identity),
		scope: scopeOf(context),
		mode: service.mode
	};
	if (inputs.stateFile !== void 0) return createFileStore({
		file: external_node_path_namespaceObject.resolve(workspace, inputs.stateFile),
		workspace,
		binding,
		key,
		log: runner.log
	});
	if (context.isGhes) return noStore("GitHub Enterprise Server has no artifact storage of this kind", "Set `state-file` and keep that file between runs.");
	if (!runner.hasArtifacts) return noStore("no artifact storage on this runner", "Set `state-file` to keep them in a file.");
	return createArtifactStore({
		gateName: inputs.name,
		binding,
		key,
		context,
		api,
		upload: async ({ name, file, kind }) => await uploadArtifact({
			name,
			files: [file],
			retentionDays: retentionOf(kind, inputs)
		}),
		remove: deleteArtifact,
		onPending: (kind, pending) => runner.saveForPost(formatPending(pending, retentionOf(kind, inputs))),
		claimFolder: () => claimFolder(context.temp, workspace, `${inputs.name}-state-${stepId(identity)}`),
		signal,
		log: runner.log
	});
}
function retentionOf(kind, { retentionDays, reuseDays }) {
	const days = retentionDays ?? (reuseDays === 0 ? void 0 : Math.min(reuseDays, MAX_RETENTION_DAYS));
	return kind === "open" ? Math.min(days ?? 7, 7) : days;
}
const MAX_RETENTION_DAYS = 400;
const NO_STORE = {
	load: async () => ({
		states: [],
		isFromFile: false,
		isLost: false,
		notices: []
	}),
	save: async () => ""
};
function noStore(why, fix) {
	const unsavedNotice = `The results cannot be saved for the next run (${why}), so the next run sends and bills all files again. ${fix}`;
	return {
		...NO_STORE,
		unsavedNotice
	};
}
// src/state/save.ts
async function storeState({ kind, earlierState, scopes, results, rules }, store, log) {
	try {
		return await store.save(kind, mergeState(earlierState, results, rules), scopes);
	} catch (error) {
		const problem = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
		log.warning(`The state could not be saved, so the next run may re-analyse and re-bill the same files: ${problem}. The verdict is not affected.`);
		return "";
	}
}
function seenPaths(files, contents) {
	return new Map([...files.map((file) => [file.path, void 0]), ...contents.flatMap(({ paths, sha256 }) => paths.map((each) => [each, sha256]))]);
}
function mergeState(earlierState, run, { reuseDays, now }) {
	const analyses = analysesOf(earlierState, run, now);
	const paths = pathsAfter(earlierState.paths, run, {
		analyses,
		now
	}).filter(({ seenAt }) => isYounger(seenAt, 90, now));
	const inUse = new Set(paths.map(({ sha256 }) => sha256));
	const known = [...earlierState.contents, ...analyses.map(({ content }) => content)];
	return {
		contents: [...new Map(known.map((content) => [`${content.sha256} ${content.sidekicks}`, content])).values()].filter(({ sha256, sidekicks, analysedAt }) => inUse.has(sha256) && sidekicks === run.sidekicks || isYounger(analysedAt, Math.max(reuseDays, 90), now)),
		paths,
		open: stillOpen(earlierState.open, run).filter(({ createdAt }) => isYounger(createdAt, 7, now))
	};
}
function analysesOf(earlierState, { reused, analysed, sidekicks }, now) {
	const learn = (result, analysedAt) => {
		const content = knownContent(result, sidekicks, analysedAt);
		return content ? [{
			content,
			paths: result.content.paths
		}] : [];
	};
	const time = now.toISOString();
	return [...reused.flatMap((result) => learn(result, earlierState.analysis(result.content.sha256, sidekicks)?.analysedAt ?? time)), ...analysed.flatMap((result) => learn(result, time))];
}
function knownContent(result, sidekicks, analysedAt) {
	const { content, outcome, submissionId, assetId, versionGroupId, versionNumber, issues } = result;
	if (outcome !== "judged" || assetId === void 0) return void 0;
	return {
		sha256: content.sha256,
		name: content.name,
		submissionId,
		assetId,
		analysedAt,
		sidekicks,
		...versionGroupId !== void 0 && { versionGroupId },
		...versionNumber !== void 0 && { versionNumber },
		issues: issues.map(shortened)
	};
}
const MAX_TEXT_LENGTH = 300;
function shortened(issue) {
	return {
		id: cut(issue.id),
		severity: issue.severity,
		reportedSeverity: cut(issue.reportedSeverity),
		status: cut(issue.status),
		ruleCode: cut(issue.ruleCode),
		summary: cut(issue.summary),
		headline: issue.headline && cut(issue.headline),
		referenceNumber: issue.referenceNumber,
		sidekickId: issue.sidekickId && cut(issue.sidekickId),
		reasoning: void 0,
		precedents: [],
		createdAt: void 0,
		updatedAt: void 0
	};
}
function cut(text) {
	return text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}
function pathsAfter(before, { seen, others }, { analyses, now }) {
	const seenAt = now.toISOString();
	const kept = before.map((known) => {
		const { path, sha256, isPresent } = known;
		if (!seen.has(path)) return {
			...known,
			isPresent: isPresent && others.has(path)
		};
		return {
			...known,
			seenAt,
			isPresent: isPresent || seen.get(path) === sha256
		};
	});
	const added = analyses.flatMap(({ content: { sha256, submissionId }, paths }) => paths.map((path) => ({
		path,
		sha256,
		submissionId,
		seenAt,
		isPresent: true
	})));
	return [...new Map([...kept, ...added].map((known) => [known.path, known])).values()];
}
function stillOpen(before, run) {
	const results = new Map([...run.reused, ...run.analysed].map((result) => [result.content.sha256, result]));
	const isJudged = (sha256) => results.get(sha256)?.outcome === "judged";
	const waitedFor = new Set(run.submissions.flatMap(({ contents }) => contents.map(({ sha256 }) => sha256)));
	const entries = [...run.submissions.flatMap(({ submissionId, createdAt, contents }) => contents.filter(({ sha256 }) => !isJudged(sha256)).map(({ sha256, name }) => {
		return {
			submissionId: results.get(sha256)?.submissionId ?? submissionId,
			createdAt,
			sidekicks: run.sidekicks,
			content: {
				sha256,
				name
			}
		};
	})), ...before.flatMap(({ contents, ...record }) => contents.filter(({ sha256 }) => record.sidekicks !== run.sidekicks || !(waitedFor.has(sha256) || isJudged(sha256))).map((content) => ({
		...record,
		content
	})))];
	return [...Map.groupBy(entries, ({ submissionId }) => submissionId).values()].flatMap((group) => {
		const contents = group.map(({ content }) => content);
		return group.slice(0, 1).map(({ submissionId, createdAt, sidekicks }) => ({
			submissionId,
			createdAt,
			sidekicks,
			contents
		}));
	});
}
// src/inputs/waivers-yaml.ts
const TOO_DEEP = {
	what: "the file is nested too deeply",
	fix: "Write a list of entries, each with keys and texts only."
};
async function readList(text) {
	const yaml = await __nccwpck_require__.e(/* import() */ 271).then(__nccwpck_require__.bind(__nccwpck_require__, 271)).then((m) => (0,rolldown_runtime.i)(m.default, 1));
	const lines = new yaml.LineCounter();
	const document = parse(text, lines, yaml);
	const [error] = document?.errors ?? [];
	if (!document || error?.message.includes("call stack")) return [{
		line: 1,
		...TOO_DEEP
	}];
	if (error) return [describeSyntaxError(error, text, lines)];
	const list = document.contents;
	if (list === null || yaml.isScalar(list) && list.value === "") return [];
	if (!yaml.isSeq(list)) return readNoList(list, {
		yaml,
		lines
	});
	return list.items.map((item) => readItem(item, {
		yaml,
		lines
	}));
}
const IN_QUOTES = "Put the whole value in quotation marks.";
const INDENT_OR_MARK = {
	what: "the line is not indented like the other keys, or a quotation mark or bracket before it is not closed",
	fix: "Indent all keys of an entry alike, and close the mark."
};
const SYNTAX_PROBLEMS = {
	BAD_INDENT: INDENT_OR_MARK,
	BLOCK_AS_IMPLICIT_KEY: {
		what: "a value contains a colon and a space, or the next line is indented more",
		fix: `${IN_QUOTES} Indent all keys of an entry alike.`
	},
	MISSING_CHAR: INDENT_OR_MARK,
	MULTILINE_IMPLICIT_KEY: {
		what: "there is no colon and space between key and value",
		fix: "Write the line like `rule: AD-17`."
	},
	BAD_SCALAR_START: {
		what: "a value begins with a character that YAML reserves",
		fix: IN_QUOTES
	},
	BAD_DQ_ESCAPE: {
		what: "a backslash is in double quotation marks",
		fix: "Use single quotation marks."
	},
	MULTIPLE_DOCS: {
		what: "this line begins a second document",
		fix: "Delete the line."
	},
	UNEXPECTED_TOKEN: {
		what: "this text is not expected here",
		fix: `${IN_QUOTES} If it is no value, delete it.`
	}
};
function describeSyntaxError(error, text, lines) {
	const { line, col: column } = lines.linePos(error.pos[0]);
	const tab = text.split("\n", line + 1).findIndex((each) => /^[ -]*\t/.test(each));
	if (tab !== -1) return {
		line: tab + 1,
		column: 1,
		what: "the line is indented with a tab",
		fix: "Use spaces."
	};
	return {
		line,
		column,
		...SYNTAX_PROBLEMS[error.code] ?? {
			what: "this is not valid YAML",
			fix: "Correct this line."
		}
	};
}
function parse(text, lineCounter, yaml) {
	try {
		return yaml.parseDocument(text, {
			lineCounter,
			schema: "failsafe",
			strict: true,
			uniqueKeys: false
		});
	} catch (error) {
		if (error instanceof RangeError) return void 0;
		throw error;
	}
}
const IS_LIST = "The file is a list: each entry begins with `- `.";
function readNoList(contents, source) {
	const { yaml, lines } = source;
	const line = lineOf(contents, lines);
	const [first] = yaml.isMap(contents) ? contents.items : [];
	if (!first) return [{
		line,
		what: "the file is not a list",
		fix: "Begin each entry with `- `."
	}];
	const name = nameOf(first.key, yaml);
	if (!yaml.isCollection(first.value)) return [{
		line,
		what: "the entry does not begin with `- `",
		fix: `Write \`- \` before ${inBackticks(name)}. ${IS_LIST}`
	}];
	const inner = yaml.isSeq(first.value) ? first.value.items : [];
	return [{
		line,
		what: `the key ${inBackticks(name)} is not allowed here`,
		fix: `Delete the line ${inBackticks(`${name}:`)}. ${IS_LIST}`
	}, ...inner.map((item) => readItem(item, source))];
}
const NEW_ENTRY = "If a new entry begins here, write `- ` before it. Otherwise delete the line.";
function readItem(item, source) {
	const { yaml, lines } = source;
	const line = lineOf(item, lines);
	if (!yaml.isMap(item)) return {
		line,
		what: "the entry is not a set of keys and values",
		fix: "Write lines such as `rule: AD-17`."
	};
	const values = new Map();
	let repeated;
	for (const { key, value } of item.items) {
		const name = nameOf(key, yaml);
		const at = lineOf(key, lines);
		if (values.has(name)) repeated ??= {
			line: at,
			what: `${inBackticks(name)} is there a second time`,
			fix: NEW_ENTRY
		};
		const text = yaml.isScalar(value) ? String(value.value) : "";
		values.set(name, {
			line: at,
			text,
			problem: describeValue(value, yaml)
		});
	}
	return {
		line,
		values,
		repeated
	};
}
function describeValue(value, yaml) {
	if (yaml.isAlias(value)) return startsWith("*");
	if (yaml.isSeq(value)) return {
		what: "is a list or begins with `[`",
		fix: "Write one text, in quotation marks if it begins with `[`."
	};
	if (!yaml.isScalar(value)) return {
		what: "is a group of keys or begins with `{`",
		fix: "Write one text, in quotation marks if it begins with `{`."
	};
	if (value.tag?.startsWith("!")) return startsWith("!");
	return value.anchor === void 0 ? void 0 : startsWith("&");
}
function startsWith(mark) {
	return {
		what: `begins with \`${mark}\``,
		fix: "Put the value in quotation marks."
	};
}
function nameOf(key, yaml) {
	return yaml.isScalar(key) ? String(key.value) : "";
}
function lineOf(item, lines) {
	return lines.linePos(item.range?.[0] ?? 0).line;
}
function inBackticks(name) {
	return `\`${name.length > 40 ? `${name.slice(0, 40)}…` : name}\``;
}
// src/inputs/waivers-file.ts
function describeWaiver({ rule, path, owner, line }) {
	return `the waiver of ${rule} for ${path.text} (line ${line}, owner ${owner})`;
}
const MAX_WAIVERS_FILE_BYTES = 262144;
const Text = pipe(string(), trim(), minLength(1));
const Entry = object({
	rule: Text,
	path: Text,
	owner: Text,
	reason: Text,
	expires: pipe(string(), trim(), isoDate(), check$2(isRealDate))
});
const KEYS = Object.keys(Entry.entries);
const MAX_ALTERNATIVES = 1e4;
const MAX_PROBLEMS = 20;
async function parseWaivers(text, file) {
	if (Buffer.byteLength(text) > 262144) throw new GateError(tooLarge(file));
	const waivers = [];
	const problems = [];
	let alternatives = 0;
	for (const item of await readList(text)) {
		if (problems.length >= MAX_PROBLEMS) {
			problems.push(unread(file, item.line));
			break;
		}
		const read = "what" in item ? [item] : readEntry(item);
		if (Array.isArray(read)) {
			problems.push(...read.map((flaw) => problem(file, flaw)));
			continue;
		}
		waivers.push(read);
		alternatives += read.path.alternatives.length;
		if (alternatives > MAX_ALTERNATIVES) {
			problems.push(problem(file, {
				line: read.line,
				what: "up to here, the braces in the paths stand for too many patterns",
				fix: "Use fewer braces."
			}));
			break;
		}
	}
	if (problems.length > 0) throw new GateError(problems);
	return waivers;
}
function readEntry({ line, values, repeated }) {
	const unknown = [...values.keys()].filter((key) => !KEYS.includes(key)).slice(0, MAX_PROBLEMS);
	const meant = new Set(unknown.map((key) => nearest(key, KEYS)));
	const missing = KEYS.filter((key) => !values.has(key) && !meant.has(key));
	const parsed = safeParse(Entry, Object.fromEntries([...values].map(([key, { text }]) => [key, text])));
	const path = readPath(values.get("path")?.text ?? "");
	const invalid = new Set((parsed.issues ?? []).map((issue) => getDotPath(issue) ?? ""));
	const problemOf = (key, { text, problem: wrong }) => {
		if (unknown.includes(key)) return describeUnknown(key);
		if (wrong !== void 0) return {
			...wrong,
			what: `${inBackticks(key)} ${wrong.what}`
		};
		if (invalid.has(key)) return describeInvalid(key, text);
		return key === "path" && "what" in path ? path : void 0;
	};
	const flaws = [
		...missing.length > 0 ? [{
			line,
			...describeMissing(missing)
		}] : [],
		...[...values].flatMap(([key, value]) => {
			const wrong = problemOf(key, value);
			return wrong === void 0 ? [] : [{
				line: value.line,
				...wrong
			}];
		}),
		...repeated ? [repeated] : []
	];
	if (parsed.success && !("what" in path) && flaws.length === 0) return {
		...parsed.output,
		path,
		line
	};
	return flaws.toSorted((a, b) => a.line - b.line);
}
const A_DATE = "a date such as 2027-01-31";
function describeMissing(keys) {
	const [what, them] = keys.length === 1 ? ["is missing", "it"] : ["are missing", "them"];
	const date = keys.includes("expires") ? ` \`expires\` is ${A_DATE}.` : "";
	return {
		what: `${listed(keys, "and")} ${what}`,
		fix: `Add ${them} to this entry.${date}`
	};
}
function describeUnknown(key) {
	const all = `An entry has ${listed(KEYS, "and")}.`;
	if (key === "") return {
		what: "there is a value without a key",
		fix: all
	};
	const meant = nearest(key, KEYS);
	const fix = meant === void 0 ? `Delete the line. ${all}` : `Rename it to \`${meant}\`.`;
	return {
		what: `${inBackticks(key)} is not a known key`,
		fix
	};
}
function describeInvalid(key, text) {
	if (text.trim() === "") return {
		what: `${inBackticks(key)} is empty`,
		fix: "Write its value."
	};
	const isDate = /^\d{4}-\d\d-\d\d$/.test(text.trim());
	return {
		what: `${inBackticks(key)} is ${quoted(text)}, ${isDate ? "a day that does not exist" : "which is not a date"}`,
		fix: `Write ${A_DATE}.`
	};
}
function readPath(text) {
	try {
		const pattern = parsePattern(text, {
			searchRoot: "",
			windows: false
		});
		if (!pattern.exclude) return pattern;
		return {
			what: "`path` begins with `!`",
			fix: "Remove the `!`: a waiver cannot exclude files."
		};
	} catch (error) {
		if (error instanceof PatternError) return {
			what: `\`path\` is ${JSON.stringify(text)}, ${error.message}`,
			fix: "Correct the path."
		};
		throw error;
	}
}
function problem(file, { line, column, what, fix }) {
	return {
		reason: "bad-input",
		path: file,
		line,
		message: `${`Line ${line}${column === void 0 ? "" : `, column ${column}`}`}: ${what}.`,
		fix
	};
}
function unread(file, line) {
	return {
		reason: "bad-input",
		path: file,
		line,
		message: `The waivers file was not read from line ${line} on, because the lines before it have too many mistakes.`,
		fix: "Correct those first."
	};
}
function tooLarge(file) {
	return {
		reason: "bad-input",
		path: file,
		message: "The waivers file is too large.",
		fix: `Keep at most ${MAX_WAIVERS_FILE_BYTES / 1024} KiB: waivers that have expired can go.`
	};
}
function isRealDate(date) {
	return !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}
// src/steps/load-waivers.ts
async function findWaivers(file, { searchRoot, baseCommit }, api) {
	const here = await inCheckout(file, searchRoot);
	if (baseCommit === void 0) {
		if (!here) throw new GateError(missingFile(file));
		return {
			waivers: here,
			notices: []
		};
	}
	const base = await atBase(file, baseCommit, api);
	if (!base && !here) throw new GateError(missingFile(file));
	if (typeof base === "string") return {
		waivers: [],
		notices: [`No waiver counts in this run: ${base}`]
	};
	const counting = new Set((base ?? []).map(keyOf));
	const proposed = (here ?? []).filter((waiver) => !counting.has(keyOf(waiver)));
	return {
		waivers: base ?? [],
		notices: proposed.map((waiver) => `Proposed, and not counted before it is merged: ${describeWaiver(waiver)}.`)
	};
}
async function atBase(file, commit, api) {
	try {
		const text = await api.textAt(file, commit);
		return text === void 0 ? void 0 : await parseWaivers(text, file);
	} catch (error) {
		if (error instanceof GitHubError) return `the waivers file of the base commit could not be read. ${error.message} ${error.fix}`;
		if (error instanceof GateError) return `the waivers file of the base commit is wrong. ${error.causes[0]?.message ?? ""}`;
		throw error;
	}
}
async function inCheckout(file, searchRoot) {
	const text = await textInCheckout(file, searchRoot);
	return text === void 0 ? void 0 : await parseWaivers(text, file);
}
async function textInCheckout(file, searchRoot) {
	try {
		const real = await (0,promises_namespaceObject.realpath)(external_node_path_namespaceObject.join(searchRoot, file));
		const stats = await (0,promises_namespaceObject.stat)(real);
		if (!real.startsWith(await (0,promises_namespaceObject.realpath)(searchRoot) + external_node_path_namespaceObject.sep) || !stats.isFile()) throw new GateError(unreadableFile(file));
		if (stats.size > 262144) throw new GateError(tooLarge(file));
		return await (0,promises_namespaceObject.readFile)(real, "utf8");
	} catch (error) {
		if (error instanceof GateError) throw error;
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return void 0;
		throw new GateError(unreadableFile(file), { cause: error });
	}
}
function unreadableFile(file) {
	return {
		...missingFile(file),
		message: `The waivers file ${JSON.stringify(file)} is not a file that can be read.`
	};
}
function missingFile(file) {
	return {
		reason: "bad-input",
		message: `Input \`waivers-file\` is ${JSON.stringify(file)}, and there is no such file.`,
		fix: "Give the path of a YAML file in the repository, or leave the input out."
	};
}
function keyOf({ rule, path: pattern, owner, reason, expires }) {
	return JSON.stringify([
		rule,
		pattern.text,
		owner,
		reason,
		expires
	]);
}
// src/verdict/waivers.ts
var Waivers = class {
	#expired;
	#byRule;
	constructor(waivers, now) {
		const today = now.toISOString().slice(0, 10);
		this.#expired = waivers.filter(({ expires }) => expires < today);
		this.#byRule = Map.groupBy(waivers.filter(({ expires }) => expires >= today), ({ rule }) => rule);
	}
	waiverFor(issue, paths) {
		const { covering, uncovered } = this.#coverageOf(issue, paths);
		return uncovered === void 0 ? covering[0] : void 0;
	}
	notices(seen) {
		const used = new Set();
		const partial = new Map();
		for (const { paths, issues } of seen) for (const { covering, uncovered } of issues.map((issue) => this.#coverageOf(issue, paths))) for (const waiver of covering) if (uncovered === void 0) used.add(waiver);
		else partial.set(waiver, uncovered);
		const unused = [...this.#byRule.values()].flat().toSorted((a, b) => a.line - b.line).filter((waiver) => !used.has(waiver));
		const matched = linesSelecting(unused.map(({ path }) => path), seen.filter(({ outcome }) => outcome === "judged").flatMap(({ paths }) => paths));
		const idle = unused.filter((_, index) => matched.has(index));
		return [...this.#expired.map((waiver) => `Expired on ${waiver.expires}: ${describeWaiver(waiver)}. It is no longer applied.`), ...idle.map((waiver) => {
			const uncovered = partial.get(waiver);
			return uncovered === void 0 ? `No issue matches ${describeWaiver(waiver)}. Remove it if it is no longer needed.` : `The same file is also at ${uncovered}, which ${describeWaiver(waiver)} does not cover. The waiver is not applied.`;
		})];
	}
	#coverageOf({ ruleCode }, paths) {
		const forRule = this.#byRule.get(ruleCode) ?? [];
		const covering = [];
		let uncovered;
		for (const path of paths) {
			const waiver = forRule.find((each) => selects([each.path], path));
			if (waiver) covering.push(waiver);
			else uncovered ??= path;
		}
		return {
			covering,
			uncovered
		};
	}
};
// src/run.ts
const CONFIRM_MS = 3e5;
async function run(env, runner, signal) {
	const context = readContext(env);
	let session;
	try {
		const { inputs, problems } = configure(runner, context);
		const { service } = inputs;
		session = service && openSession(service, context.runId, runner.log);
		const github = createGitHubApi({
			...context,
			token: inputs.githubToken,
			signal
		});
		const store = service ? chooseStore({
			inputs,
			service,
			context,
			api: github,
			runner,
			signal
		}) : NO_STORE;
		const environment = {
			inputs,
			context,
			runner,
			github,
			store,
			signal
		};
		const found = nothingFound();
		try {
			if (problems.length > 0) throw new GateError(problems);
			await check(found, environment, session);
		} catch (error) {
			found.causes = causesOf(error, found);
			found.isCancelled = signal.aborted;
			if (found.causes.some(({ reason }) => reason === "internal")) logStack(error, runner);
		}
		found.stateFile = await saveResults(found, environment) || found.stateFile;
		const verdict = judge(found, inputs.policy);
		await fireSandboxEvent(found, environment, session);
		const { unsavedNotice } = store;
		await publish(buildReport({
			found,
			verdict,
			inputs,
			context,
			unsavedNotice,
			now: new Date()
		}), {
			found,
			inputs,
			runner,
			github,
			context
		});
	} catch (error) {
		logStack(error, runner);
		publishDefect(error, runner, context);
	} finally {
		await session?.http.close();
	}
}
function configure(runner, context) {
	for (const name of SECRET_INPUTS) runner.mask(runner.input(name));
	return readInputs((name) => runner.input(name), {
		workspace: context.workspace,
		windows: process.platform === "win32",
		missingKey: missingKey(context)
	});
}
async function check(found, environment, session) {
	const { inputs, context, runner, github, store, signal } = environment;
	const { log } = runner;
	const now = new Date();
	const note = (...notices) => {
		found.notices = [...found.notices, ...notices.filter((notice) => notice !== void 0)];
	};
	if (!session && !inputs.dryRun) {
		found.skipped = {
			cause: skippedWithoutKey(context),
			isExpected: false
		};
		return;
	}
	const checkout = {
		...context,
		searchRoot: inputs.searchRoot
	};
	const matched = await discover(inputs.files, inputs.searchRoot, {
		isDefault: inputs.filesAreDefault,
		signal
	});
	await assertHeadCheckedOut(matched, checkout, github);
	found.discovery = inputs.onlyChanged ? await onlyChanged(matched, inputs.files, {
		run: checkout,
		api: github
	}) : matched;
	note(...found.discovery.notices);
	log.info(`${plural(found.discovery.files.length, "file")} to check`);
	if (found.discovery.files.length === 0) {
		found.skipped = skipWithoutFiles(matched.files.length, inputs);
		return;
	}
	if (inputs.waiversFile !== void 0) {
		const { waivers, notices } = await findWaivers(inputs.waiversFile, checkout, github);
		found.waivers = new Waivers(waivers, now);
		note(...notices);
	}
	found.inspection = await inspect(found.discovery, signal);
	note(...found.inspection.warnings);
	const { repositoryId } = context;
	const rules = {
		repositoryId,
		reuseDays: inputs.reuseDays,
		sidekicks: hashSidekicks(inputs.sidekickIds),
		now
	};
	const isComparing = inputs.policy.failOnIssues === "new";
	const loaded = await store.load({
		canReuse: inputs.reuseDays > 0 && !inputs.dryRun,
		hasBaseline: isComparing && context.baseBranch !== void 0,
		isEnough: (earlierState) => isAllReused(makePlan({
			...found.inspection,
			earlierState,
			rules
		}))
	});
	found.history = historyOf(loaded, context);
	note(...loaded.notices, ...found.history.notices);
	if (isComparing && !found.history.baseline) note(missingBaselineNotice(context));
	const basis = {
		...found.inspection,
		earlierState: found.history.earlierState,
		rules
	};
	found.plan = makePlan(basis);
	if (!session || inputs.dryRun) {
		for (const text of describePlan(found.plan)) log.info(text);
		note(...problemsIn(found, inputs).map(describeDryRunProblem));
		found.skipped = {
			cause: DRY_RUN,
			isExpected: false
		};
		return;
	}
	const { client, http, access } = session;
	const { mode } = access;
	const { failOnSeverity } = inputs.policy;
	const confirmation = await main_confirm(found.plan, {
		mode,
		failOnSeverity,
		client,
		deadline: {
			signal,
			until: Date.now() + CONFIRM_MS
		},
		now
	});
	found.plan = withoutLost(found.plan, confirmation.losses, basis);
	found.reused = confirmation.analyses;
	found.outage = confirmation.outage;
	if (confirmation.losses.size > 0) log.warning(describeLosses(found.plan, confirmation.losses));
	if (found.outage) log.warning(lastKnownOf(found.outage, found.plan)?.message ?? found.outage.message);
	else note(describeLastKnown(found.reused));
	const problems = problemsIn(found, inputs);
	if (problems.length > 0) throw new GateError(problems);
	const waitMs = inputs.waitTimeoutMinutes * 6e4;
	const toSend = withSource(found.plan, "submit");
	found.open = awaitedSubmissions(found.plan);
	if (toSend.length > 0) {
		const contents = toSend.map(({ content }) => content).filter(isSendable);
		const deadline = {
			signal,
			until: Date.now() + waitMs
		};
		found.created = await main_submit(await log.group(`Uploading ${plural(contents.length, "file")}`, () => upload$1(contents, {
			concurrency: inputs.uploadConcurrency,
			client,
			http,
			log,
			baseUrl: access.baseUrl
		}, deadline)), {
			sidekickIds: inputs.sidekickIds,
			simulationDelaySeconds: inputs.simulationDelaySeconds,
			metadata: metadataOf(inputs.metadata, context),
			previousSubmissionIds: previousSubmissions(found.plan)
		}, {
			client,
			log,
			deadline
		});
		found.open = [found.created, ...found.open];
		found.stateFile = await save("open", found, environment);
	}
	if (found.open.length === 0) return;
	const deadline = {
		signal,
		until: Date.now() + waitMs
	};
	let saving = Promise.resolve();
	const onMoved = async (moved) => {
		found.open = withMoved(found.open, moved);
		saving = saving.then(async () => {
			found.stateFile = await save("open", found, environment);
		});
		await saving;
	};
	found.waited = await log.group("Waiting for the analysis", () => waitForAll(found.open, {
		client,
		log,
		deadline,
		onMoved
	}));
	for (const { submission, response } of found.waited) if (response?.errorMessage) note(`The service says about submission ${submission.submissionId}: ${response.errorMessage}`);
	found.analysed = (await Promise.all(found.waited.map((each) => collect(each, {
		client,
		mode,
		deadline
	})))).flat();
	note(describeUnlinkedVersions(found.plan, found.analysed, found.created?.previousSubmissionIds ?? new Map()));
}
function skipWithoutFiles(matched, inputs) {
	if (matched > 0) return {
		cause: noneChanged(matched),
		isExpected: true
	};
	if (inputs.ifNoFilesFound === "error") throw new GateError(noFilesMatch(inputs));
	return {
		cause: noFilesMatch(inputs),
		isExpected: inputs.ifNoFilesFound === "ignore"
	};
}
function problemsIn({ plan, inspection }, { maxFiles }) {
	return [
		...inspection.problems,
		...plan.problems,
		...tooMany(plan, maxFiles)
	];
}
async function saveResults(found, environment) {
	return (found.reused.length > 0 && !found.outage || found.open.length > 0) && !found.isCancelled ? await save("state", found, environment) : "";
}
async function save(kind, { discovery, plan, reused, analysed, open, history }, { inputs, store, runner }) {
	const contents = plan.contents.map(({ content }) => content);
	const results = {
		seen: seenPaths(discovery.files, contents),
		others: new Set(),
		reused,
		analysed,
		submissions: open,
		sidekicks: hashSidekicks(inputs.sidekickIds)
	};
	const { earlierState, scopes } = history;
	return await storeState({
		kind,
		earlierState,
		scopes,
		results,
		rules: {
			reuseDays: inputs.reuseDays,
			now: new Date()
		}
	}, store, runner.log);
}
async function fireSandboxEvent({ open, reused, causes, skipped }, { inputs, runner: { log }, signal }, session) {
	const { sandboxEvent: eventType, sandboxErrorMessage: errorMessage } = inputs;
	const submissionId = open[0]?.submissionId ?? reused[0]?.submissionId;
	if (!session || !eventType || submissionId === void 0 || causes.length > 0 || skipped) return;
	await fireEvent({
		eventType,
		submissionId,
		errorMessage
	}, {
		client: session.client,
		log,
		signal
	});
}
function logStack(error, { log }) {
	const text = error instanceof Error ? error.stack ?? error.message : String(error);
	for (const part of text.split("\n")) log.info(part);
}
// src/main.ts
async function main() {
	const runner = createRunner();
	process.once("beforeExit", () => {
		runner.log.warning("The step ended without a verdict. This is a defect of the action. Please report it.");
		process.exit(1);
	});
	for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
	const saved = readSavedForPost();
	if (saved === void 0) {
		markMainStarted();
		const controller = new AbortController();
		for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => controller.abort(new Interruption(name)));
		await run(process.env, runner, controller.signal);
	} else await uploadPending(saved, runner.log);
	process.stdout.write("", () => process.exit());
}
function ignoreClosedPipe(error) {
	if (error.code !== "EPIPE") throw error;
}
main();



/***/ }),

/***/ 238:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  i: () => (/* binding */ __toESM),
  n: () => (/* binding */ __exportAll),
  r: () => (/* binding */ __require),
  t: () => (/* binding */ __commonJSMin)
});

;// CONCATENATED MODULE: external "node:module"
const external_node_module_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:module");
;// CONCATENATED MODULE: ./lib/rolldown-runtime.js

// \0rolldown/runtime.js
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
var __require = (() => (0,external_node_module_namespaceObject.createRequire)(import.meta.url))();



/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/******/ // expose the modules object (__webpack_modules__)
/******/ __nccwpck_require__.m = __webpack_modules__;
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/create fake namespace object */
/******/ (() => {
/******/ 	var getProto = Object.getPrototypeOf ? (obj) => (Object.getPrototypeOf(obj)) : (obj) => (obj.__proto__);
/******/ 	var leafPrototypes;
/******/ 	// create a fake namespace object
/******/ 	// mode & 1: value is a module id, require it
/******/ 	// mode & 2: merge all properties of value into the ns
/******/ 	// mode & 4: return value when already ns object
/******/ 	// mode & 16: return value when it's Promise-like
/******/ 	// mode & 8|1: behave like require
/******/ 	__nccwpck_require__.t = function(value, mode) {
/******/ 		if(mode & 1) value = this(value);
/******/ 		if(mode & 8) return value;
/******/ 		if(typeof value === 'object' && value) {
/******/ 			if((mode & 4) && value.__esModule) return value;
/******/ 			if((mode & 16) && typeof value.then === 'function') return value;
/******/ 		}
/******/ 		var ns = Object.create(null);
/******/ 		__nccwpck_require__.r(ns);
/******/ 		var def = {};
/******/ 		leafPrototypes = leafPrototypes || [null, getProto({}), getProto([]), getProto(getProto)];
/******/ 		for(var current = mode & 2 && value; typeof current == 'object' && !~leafPrototypes.indexOf(current); current = getProto(current)) {
/******/ 			Object.getOwnPropertyNames(current).forEach((key) => (def[key] = () => (value[key])));
/******/ 		}
/******/ 		def['default'] = () => (value);
/******/ 		__nccwpck_require__.d(ns, def);
/******/ 		return ns;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/ensure chunk */
/******/ (() => {
/******/ 	__nccwpck_require__.f = {};
/******/ 	// This file contains only the entry chunk.
/******/ 	// The chunk loading function for additional chunks
/******/ 	__nccwpck_require__.e = (chunkId) => {
/******/ 		return Promise.all(Object.keys(__nccwpck_require__.f).reduce((promises, key) => {
/******/ 			__nccwpck_require__.f[key](chunkId, promises);
/******/ 			return promises;
/******/ 		}, []));
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/get javascript chunk filename */
/******/ (() => {
/******/ 	// This function allow to reference async chunks
/******/ 	__nccwpck_require__.u = (chunkId) => {
/******/ 		// return url for filenames based on template
/******/ 		return "" + chunkId + ".index.js";
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/******/ /* webpack/runtime/make namespace object */
/******/ (() => {
/******/ 	// define __esModule on exports
/******/ 	__nccwpck_require__.r = (exports) => {
/******/ 		if(typeof Symbol !== 'undefined' && Symbol.toStringTag) {
/******/ 			Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
/******/ 		}
/******/ 		Object.defineProperty(exports, '__esModule', { value: true });
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/import chunk loading */
/******/ (() => {
/******/ 	// no baseURI
/******/ 	
/******/ 	// object to store loaded and loading chunks
/******/ 	// undefined = chunk not loaded, null = chunk preloaded/prefetched
/******/ 	// [resolve, Promise] = chunk loading, 0 = chunk loaded
/******/ 	var installedChunks = {
/******/ 		792: 0
/******/ 	};
/******/ 	
/******/ 	var installChunk = (data) => {
/******/ 		var {ids, modules, runtime} = data;
/******/ 		// add "modules" to the modules object,
/******/ 		// then flag all "ids" as loaded and fire callback
/******/ 		var moduleId, chunkId, i = 0;
/******/ 		for(moduleId in modules) {
/******/ 			if(__nccwpck_require__.o(modules, moduleId)) {
/******/ 				__nccwpck_require__.m[moduleId] = modules[moduleId];
/******/ 			}
/******/ 		}
/******/ 		if(runtime) runtime(__nccwpck_require__);
/******/ 		for(;i < ids.length; i++) {
/******/ 			chunkId = ids[i];
/******/ 			if(__nccwpck_require__.o(installedChunks, chunkId) && installedChunks[chunkId]) {
/******/ 				installedChunks[chunkId][0]();
/******/ 			}
/******/ 			installedChunks[ids[i]] = 0;
/******/ 		}
/******/ 	
/******/ 	}
/******/ 	
/******/ 	__nccwpck_require__.f.j = (chunkId, promises) => {
/******/ 			// import() chunk loading for javascript
/******/ 			var installedChunkData = __nccwpck_require__.o(installedChunks, chunkId) ? installedChunks[chunkId] : undefined;
/******/ 			if(installedChunkData !== 0) { // 0 means "already installed".
/******/ 	
/******/ 				// a Promise means "currently loading".
/******/ 				if(installedChunkData) {
/******/ 					promises.push(installedChunkData[1]);
/******/ 				} else {
/******/ 					if(true) { // all chunks have JS
/******/ 						// setup Promise in chunk cache
/******/ 						var promise = import("./" + __nccwpck_require__.u(chunkId)).then(installChunk, (e) => {
/******/ 							if(installedChunks[chunkId] !== 0) installedChunks[chunkId] = undefined;
/******/ 							throw e;
/******/ 						});
/******/ 						var promise = Promise.race([promise, new Promise((resolve) => (installedChunkData = installedChunks[chunkId] = [resolve]))])
/******/ 						promises.push(installedChunkData[1] = promise);
/******/ 					}
/******/ 				}
/******/ 			}
/******/ 	};
/******/ 	
/******/ 	// no prefetching
/******/ 	
/******/ 	// no preloaded
/******/ 	
/******/ 	// no external install chunk
/******/ 	
/******/ 	// no on chunks loaded
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module is referenced by other modules so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(899);
/******/ var __webpack_exports__a = __webpack_exports__.a;
/******/ var __webpack_exports__i = __webpack_exports__.i;
/******/ var __webpack_exports__n = __webpack_exports__.n;
/******/ var __webpack_exports__o = __webpack_exports__.o;
/******/ var __webpack_exports__r = __webpack_exports__.r;
/******/ var __webpack_exports__t = __webpack_exports__.t;
/******/ export { __webpack_exports__a as a, __webpack_exports__i as i, __webpack_exports__n as n, __webpack_exports__o as o, __webpack_exports__r as r, __webpack_exports__t as t };
/******/ 
