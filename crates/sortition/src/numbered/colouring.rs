//! A colouring of the edges of a bipartite graph, none of whose vertices meets a colour twice.

/// The mark of no edge.
const NONE: usize = usize::MAX;

/// The colour of each edge, from a vertex of the left to one of the right. No vertex may have more
/// edges than there are colours, of which then there are enough (Konig 1916): where an edge finds
/// no colour that is free at both ends, two colours change places along a path from one end.
pub(super) fn coloured(edges: &[[usize; 2]], vertices: [usize; 2], colours: usize) -> Vec<usize> {
    let mut colouring = Colouring {
        edges,
        colours,
        colour_of: vec![NONE; edges.len()],
        at: vertices.map(|n| vec![NONE; n * colours]),
    };
    for edge in 0..edges.len() {
        colouring.add(edge);
    }
    colouring.colour_of
}

struct Colouring<'a> {
    edges: &'a [[usize; 2]],
    colours: usize,
    colour_of: Vec<usize>,
    /// The edge at each vertex and colour, for each side.
    at: [Vec<usize>; 2],
}

impl Colouring<'_> {
    fn add(&mut self, edge: usize) {
        let [left, right] = self.edges[edge];
        let free = |side: usize, vertex: usize| {
            let of_vertex = &self.at[side][vertex * self.colours..][..self.colours];
            of_vertex.iter().position(|edge| *edge == NONE)
        };
        let (Some(colour), Some(other)) = (free(0, left), free(1, right)) else {
            debug_assert!(false, "a vertex has more edges than there are colours");
            return;
        };
        if self.edge_at(1, right, colour) != NONE {
            self.exchange(right, [colour, other]);
        }
        self.put(edge, colour);
    }

    fn edge_at(&self, side: usize, vertex: usize, colour: usize) -> usize {
        self.at[side][vertex * self.colours + colour]
    }

    /// Exchanges two colours along the path that leaves a vertex of the right by the first of them.
    fn exchange(&mut self, vertex: usize, pair: [usize; 2]) {
        let mut path = Vec::new();
        let (mut side, mut vertex) = (1, vertex);
        loop {
            let edge = self.edge_at(side, vertex, pair[path.len() % 2]);
            if edge == NONE {
                break;
            }
            path.push(edge);
            side = 1 - side;
            vertex = self.edges[edge][side];
        }
        for &edge in &path {
            let colour = self.colour_of[edge];
            for (side, vertex) in self.edges[edge].into_iter().enumerate() {
                self.at[side][vertex * self.colours + colour] = NONE;
            }
        }
        for (step, edge) in path.into_iter().enumerate() {
            self.put(edge, pair[(step + 1) % 2]);
        }
    }

    fn put(&mut self, edge: usize, colour: usize) {
        for (side, vertex) in self.edges[edge].into_iter().enumerate() {
            self.at[side][vertex * self.colours + colour] = edge;
        }
        self.colour_of[edge] = colour;
    }
}
