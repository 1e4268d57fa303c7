/// Where a control of a TouchOSC layout lies, in the layout's units.
struct Frame {
    let (x, y, w, h): (Int, Int, Int, Int)

    init(_ x: Int, _ y: Int, _ w: Int, _ h: Int) { (self.x, self.y, self.w, self.h) = (x, y, w, h) }
}
