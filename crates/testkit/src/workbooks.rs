//! Workbooks made here: sheets of texts and numbers in the two formats that spreadsheets save.

use std::fmt::Write as _;

/// A sheet of a workbook.
pub struct Sheet<'a> {
    /// The sheet's name.
    pub name: &'a str,
    /// True if spreadsheets hide the sheet.
    pub hidden: bool,
    /// The rows of cells. A cell that reads as a number is written as one.
    pub rows: &'a [&'a [&'a str]],
}

/// Makes a visible sheet.
pub fn sheet<'a>(name: &'a str, rows: &'a [&'a [&'a str]]) -> Sheet<'a> {
    Sheet {
        name,
        hidden: false,
        rows,
    }
}

/// The bytes of an Excel workbook.
pub fn xlsx(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let mut list = String::new();
    let mut links = String::new();
    let mut entries = Vec::new();
    for (at, sheet) in sheets.iter().enumerate() {
        let n = at + 1;
        let state = if sheet.hidden {
            " state=\"hidden\""
        } else {
            ""
        };
        let name = escaped(sheet.name);
        write!(
            list,
            "<sheet name=\"{name}\" sheetId=\"{n}\"{state} r:id=\"rId{n}\"/>"
        )
        .unwrap();
        write!(
            links,
            "<Relationship Id=\"rId{n}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet{n}.xml\"/>"
        )
        .unwrap();
        let mut data = String::new();
        for (row, cells) in sheet.rows.iter().enumerate() {
            write!(data, "<row r=\"{}\">", row + 1).unwrap();
            for (column, cell) in cells
                .iter()
                .enumerate()
                .filter(|(_, cell)| !cell.is_empty())
            {
                let place = format!("{}{}", char::from(b'A' + column as u8), row + 1);
                match cell.parse::<f64>() {
                    Ok(_) => write!(data, "<c r=\"{place}\"><v>{cell}</v></c>"),
                    Err(_) => write!(
                        data,
                        "<c r=\"{place}\" t=\"inlineStr\"><is><t>{}</t></is></c>",
                        escaped(cell)
                    ),
                }
                .unwrap();
            }
            data += "</row>";
        }
        let text = format!(
            "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{data}</sheetData></worksheet>"
        );
        entries.push((format!("xl/worksheets/sheet{n}.xml"), text));
    }
    let workbook = format!(
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>{list}</sheets></workbook>"
    );
    let links = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{links}</Relationships>"
    );
    let root = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>";
    entries.push(("_rels/.rels".into(), root.into()));
    entries.push(("xl/workbook.xml".into(), workbook));
    entries.push(("xl/_rels/workbook.xml.rels".into(), links));
    zip(&entries)
}

/// The bytes of an OpenDocument spreadsheet.
pub fn ods(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let mut tables = String::new();
    for sheet in sheets {
        write!(
            tables,
            "<table:table table:name=\"{}\">",
            escaped(sheet.name)
        )
        .unwrap();
        for cells in sheet.rows {
            tables += "<table:table-row>";
            for cell in *cells {
                match (cell.parse::<f64>(), *cell) {
                    (_, "") => tables += "<table:table-cell/>",
                    (Ok(_), cell) => write!(
                        tables,
                        "<table:table-cell office:value-type=\"float\" office:value=\"{cell}\"><text:p>{cell}</text:p></table:table-cell>"
                    )
                    .unwrap(),
                    (Err(_), cell) => write!(
                        tables,
                        "<table:table-cell office:value-type=\"string\"><text:p>{}</text:p></table:table-cell>",
                        escaped(cell)
                    )
                    .unwrap(),
                }
            }
            tables += "</table:table-row>";
        }
        tables += "</table:table>";
    }
    let content = format!(
        "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    let mark = "application/vnd.oasis.opendocument.spreadsheet";
    zip(&[
        ("mimetype".into(), mark.into()),
        ("content.xml".into(), content),
        ("META-INF/manifest.xml".into(), manifest.into()),
    ])
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}

/// An archive of files that are not compressed.
fn zip(entries: &[(String, String)]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, text) in entries {
        let mut sum = flate2::Crc::new();
        sum.update(text.as_bytes());
        let at = bytes.len() as u32;
        let length = text.len() as u32;
        let mut head = Vec::new();
        head.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        head.extend(sum.sum().to_le_bytes());
        head.extend(length.to_le_bytes());
        head.extend(length.to_le_bytes());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&head);
        bytes.extend(name.as_bytes());
        bytes.extend(text.as_bytes());
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&head);
        list.extend([0; 10]);
        list.extend(at.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (at, count) = (bytes.len() as u32, entries.len() as u16);
    let length = list.len() as u32;
    bytes.extend(list);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}
