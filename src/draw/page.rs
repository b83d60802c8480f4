//! Text in HTML pages.

use serde::Serialize;
use std::fmt::Write;

/// Text with the characters replaced that mean something in HTML, also inside
/// quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A value as JSON that may stand inside a `script` element: nothing in it
/// can end the element or start a comment.
pub fn script_json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// A whole page: title, style sheet and body. It needs nothing else.
pub fn page(title: &str, style: &str, body: &str) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let _ = writeln!(out, "<title>{}</title>", escape(title));
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    let _ = write!(
        out,
        "<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        assert_eq!(
            escape("<a href='x'>&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;"
        );
        let json = script_json(&"</script><!-- 帅");
        assert!(!json.contains('<') && json.contains("帅"));
        assert_eq!(
            serde_json::from_str::<String>(&json).unwrap(),
            "</script><!-- 帅"
        );
        assert!(page("<x>", "", "").contains("<title>&lt;x&gt;</title>"));
    }
}
