// The host side of MCP Apps as its authors publish it, around a sandboxed frame. What it hears is kept in `heard`.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

window.heard = [];

window.embed = async (html, capabilities, hostContext) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "host", version: "1" }, capabilities, { hostContext });
  const hear = (name) => (params) => {
    window.heard.push([name, params]);
    return {};
  };
  bridge.oninitialized = hear("initialized");
  bridge.onsizechange = hear("size");
  bridge.onopenlink = hear("open");
  bridge.ondownloadfile = hear("save");
  bridge.onerror = (error) => hear("error")(String(error));
  bridge.onreadresource = (params) => ({ contents: [{ uri: params.uri, mimeType: "text/csv", text: "a,b" }] });
  window.bridge = bridge;
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
};
